/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/cookies.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "daemon/keep.h"

/* A key, or some lines of secrets with comments: more is another file named by mistake. */
#define FILE_MAX 4096u

/* The first bytes of a file; negative with errno. */
static ssize_t read_some(const char *path, char *out, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    size_t len = 0;
    ssize_t n;
    while (len < cap && (n = read(fd, out + len, cap - len)) != 0) {
        if (n < 0 && errno != EINTR)
            break;
        len += n > 0 ? (size_t)n : 0;
    }
    int saved = errno;
    bool failed = len < cap && n < 0;
    (void)close(fd); /* only read */
    errno = saved;
    return failed ? -1 : (ssize_t)len;
}

static int unreadable(struct diag *d, const char *path)
{
    return diag_error(d, (struct diag_loc){path, 0, 0}, "cannot read the file of cookie keys: %s",
                      strerror(errno));
}

/* ---- secrets ------------------------------------------------------------------------------- */

struct secrets {
    struct cookie_secret items[COOKIE_SECRETS_MAX];
    size_t count;
};

static const char *behind_role(const char *line)
{
    static const char *const roles[] = {"active:", "staging:"};
    for (size_t i = 0; i < array_len(roles); i++)
        if (strncmp(line, roles[i], strlen(roles[i])) == 0)
            line += strlen(roles[i]);
    return line + strspn(line, " \t");
}

static bool read_secret(const char *line, struct cookie_secret *out)
{
    size_t len = 0;
    const char *end = NULL;
    return sodium_hex2bin(out->bytes, sizeof out->bytes, line, 2 * sizeof out->bytes, NULL, &len,
                          &end) == 0 &&
           len == sizeof out->bytes && line[2 * len + strspn(line + 2 * len, " \t\r")] == '\0';
}

static int add_secret(struct secrets *s, const char *line, struct diag_loc loc, struct diag *d)
{
    const char *text = behind_role(line + strspn(line, " \t"));
    if (*text == '\0' || *text == '\r' || *text == '#')
        return 0;
    if (s->count == COOKIE_SECRETS_MAX)
        return diag_error(d, loc, "more than %u secrets; two are enough to change one",
                          COOKIE_SECRETS_MAX);
    if (strlen(text) < 2 * COOKIE_SECRET_BYTES || !read_secret(text, &s->items[s->count]))
        return diag_error(d, loc, "not a secret; write 32 hexadecimal digits in a line");
    s->count++;
    return 0;
}

static int read_secrets(const char *path, struct secrets *s, struct diag *d)
{
    char text[FILE_MAX + 1];
    ssize_t n = read_some(path, text, FILE_MAX);
    struct diag_loc loc = {path, 1, 0};
    int e = 0;
    if (n < 0)
        return unreadable(d, path);
    text[n] = '\0';
    /* what is behind would be passed over */
    if (n == (ssize_t)FILE_MAX || strlen(text) < (size_t)n)
        e = diag_error(d, (struct diag_loc){path, 0, 0},
                       "not a file of secrets: it has a NUL, or %u bytes or more", FILE_MAX);
    for (char *line = text, *next; line && !e; line = next, loc.line++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        e = add_secret(s, line, loc, d);
    }
    sodium_memzero(text, sizeof text);
    if (!e && s->count == 0)
        e = diag_error(d, (struct diag_loc){path, 0, 0}, "holds no secret");
    return e;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static int read_primary(const char *path, uint8_t out[COOKIE_PRIMARY_BYTES], struct diag *d)
{
    ssize_t n = read_some(path, (char *)out, COOKIE_PRIMARY_BYTES);
    if (n < 0)
        return unreadable(d, path);
    if ((size_t)n < COOKIE_PRIMARY_BYTES)
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "holds %zd bytes; a cookie key has at least %u", n, COOKIE_PRIMARY_BYTES);
    return 0;
}

int cookies_read(const struct cookie_files *f, struct diag *d, struct cookie_keys **out)
{
    uint8_t primary[COOKIE_PRIMARY_BYTES];
    struct secrets secrets = {.count = 0};
    *out = NULL;
    if (!f->enabled || (!f->key && !f->secret))
        return 0;
    int e = f->key ? read_primary(f->key, primary, d) : 0;
    if (!e && f->secret)
        e = read_secrets(f->secret, &secrets, d);
    const struct cookie_config config = {f->key ? primary : NULL, secrets.items, secrets.count,
                                         f->gdnsd};
    if (!e)
        *out = cookie_keys_new(&config);
    sodium_memzero(primary, sizeof primary);
    sodium_memzero(&secrets, sizeof secrets);
    return e;
}

struct cookie_keys *cookies_auto(const char *run_dir, bool gdnsd)
{
    uint8_t key[COOKIE_PRIMARY_BYTES];
    char *path = mem_printf("%s/cookie.autokey", run_dir);
    if (read_some(path, (char *)key, sizeof key) != (ssize_t)sizeof key) {
        randombytes_buf(key, sizeof key);
        if (keep_file(path, key, sizeof key, 0600) != 0)
            log_warning("cookies: the key is not kept: file=%s error=\"%s\"; clients get new "
                        "cookies after a restart",
                        path, strerror(errno));
    }
    struct cookie_keys *k =
        cookie_keys_new(&(struct cookie_config){.primary = key, .gdnsd = gdnsd});
    sodium_memzero(key, sizeof key);
    mem_free(path);
    return k;
}

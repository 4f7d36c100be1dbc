/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/include.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "wire/cursor.h"
#include "zone/rdfield.h"
#include "zone/rdtext.h"

/* Files within files: nobody needs more, and each takes a few KiB of stack. */
#define DEPTH_MAX 16u

#define FILE_MAX_BYTES ((int64_t)2 << 30) /* as load.c, for the same reason */

/* One $INCLUDE that is being read. */
struct include {
    struct token name; /* for messages */
    char *path;
    struct stat st;
    char *text;
    size_t len;
};

/* The path: absolute, or relative to the folder of the current file. */
static int make_path(struct parse *p, struct include *in)
{
    char text[PATH_MAX];
    struct writer w = writer_on(text, sizeof text - 1);
    size_t len;
    if (!token_is_value(&p->t) || p->t.len == 0)
        return rdtext_refuse(p, "the path of a file");
    if (!p->source->path)
        return diag_error(p->d, parse_loc(p, &p->t),
                          "$INCLUDE: this zone is no file, so it cannot include one");
    if (rdtext_decode(p, &w, &len) < 0)
        return ERR_REFUSED;
    if (w.failed || memchr(text, '\0', len))
        return rdtext_refuse(p, "a path");
    text[len] = '\0';
    const char *slash = strrchr(p->source->path, '/');
    int folder_len = slash && text[0] != '/' ? (int)(slash + 1 - p->source->path) : 0;
    in->path = mem_printf("%.*s%s", folder_len, p->source->path, text);
    return 0;
}

static int refuse_file(struct parse *p, const struct include *in, const char *why)
{
    return diag_error(p->d, parse_loc(p, &in->name), "$INCLUDE \"%s\": %s", in->path, why);
}

static int check_loop(struct parse *p, const struct include *in)
{
    for (const struct parse_file *f = p->source; f; f = f->above)
        if (f->dev == in->st.st_dev && f->inode == in->st.st_ino)
            return refuse_file(p, in, "the file includes itself");
    if (p->source->depth == DEPTH_MAX)
        return refuse_file(p, in, "files include one another more than 16 deep");
    return 0;
}

static int read_text(struct parse *p, struct include *in, int fd)
{
    in->len = (size_t)in->st.st_size;
    in->text = mem_alloc(in->len + 1);
    for (size_t got = 0; got < in->len;) {
        ssize_t n = read(fd, in->text + got, in->len - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return refuse_file(p, in, strerror(errno));
        if (n == 0)
            return refuse_file(p, in, "became shorter while it was read");
        got += (size_t)n;
    }
    return 0;
}

static int open_file(struct parse *p, struct include *in)
{
    int fd = open(in->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), e;
    if (fd < 0)
        return refuse_file(p, in, strerror(errno));
    if (fstat(fd, &in->st) < 0)
        e = refuse_file(p, in, strerror(errno));
    else if (!S_ISREG(in->st.st_mode))
        e = refuse_file(p, in, "is not a regular file");
    else if (in->st.st_size > FILE_MAX_BYTES)
        e = refuse_file(p, in, "is larger than 2 GiB");
    else if ((e = check_loop(p, in)) == 0)
        e = read_text(p, in, fd);
    close(fd);
    return e;
}

/* Read the file's lines with a copy of this parse, of which only what was told comes back. */
static int parse_file(struct parse *p, struct include *in, const uint8_t *origin)
{
    struct parse sub = *p;
    struct parse_file source = {
        .path = in->path,
        .dev = in->st.st_dev,
        .inode = in->st.st_ino,
        .depth = p->source->depth + 1,
        .above = p->source,
    };
    if (p->b->file_count >= BUILD_FILES_MAX)
        return refuse_file(p, in, "a zone cannot have more than 65535 of these");
    char *way = mem_printf("%s:%u -> %s", p->path, in->name.line, in->path);
    build_add_source(p->b, in->path, &in->st);
    sub.scan = scan_on(in->text, in->len);
    sub.file = build_file(p->b, way);
    sub.path = p->b->files[sub.file];
    sub.source = &source;
    memcpy(sub.origin, origin, dname_len(origin));
    memcpy(sub.file_origin, origin, dname_len(origin));
    parse_reset_owner(&sub);
    parse_lines(&sub);
    p->told_default = sub.told_default;
    p->told_clamped = sub.told_clamped;
    mem_free(way);
    return 0;
}

int include_read(struct parse *p)
{
    struct include in = {.name = p->t};
    uint8_t origin[DNAME_MAX];
    memcpy(origin, p->origin, dname_len(p->origin));
    if (make_path(p, &in) < 0)
        return ERR_REFUSED;
    scan_next(&p->scan, &p->t);
    int e = token_is_value(&p->t) ? rdtext_name(p, origin) : 0;
    if (e > 0)
        scan_next(&p->scan, &p->t);
    if (e >= 0)
        e = open_file(p, &in);
    if (e >= 0)
        e = parse_file(p, &in, origin);
    mem_free(in.text);
    mem_free(in.path);
    return e;
}

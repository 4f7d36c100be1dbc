/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * http_status: GET a path, look at the status code (thresh-plugin-http_status(8)).
 *
 *   connect --> send request --> read status line --> 1xx? next one : in ok_codes? UP : DOWN
 *
 * Closed early, reset, or not HTTP is one failure, at once.  Under compat => gdnsd3 request and
 * verdict are gdnsd's, to the byte (but for early EOF, which gdnsd saw at the timeout only).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thresh/plugin.h>

#include "lib/dial.h"
#include "lib/status_line.h"

#define CODE_MIN 100u
#define CODE_MAX 999u

struct http_conf {
    uint32_t port;
    const char *url_path, *vhost;
    struct th_list ok_codes;
};

static const struct th_key service_keys[] = {
    {.name = "port",
     .type = TH_UINT,
     .offset = offsetof(struct http_conf, port),
     .min = 1,
     .max = 65535,
     .def = "80",
     .help = "port that is asked"},
    {.name = "url_path",
     .type = TH_STRING,
     .offset = offsetof(struct http_conf, url_path),
     .def = "/",
     .help = "path and query that are asked for"},
    {.name = "vhost",
     .type = TH_STRING,
     .offset = offsetof(struct http_conf, vhost),
     .help = "the Host header, as written; the address if none is given"},
    {.name = "ok_codes",
     .type = TH_LIST,
     .offset = offsetof(struct http_conf, ok_codes),
     .min = 1,
     .max = CODE_MAX - CODE_MIN + 1,
     .help = "status codes that mean UP; 200 if none is given"},
    {0},
};

struct http_service {
    bool gdnsd;
    uint16_t port;
    const char *path, *vhost;       /* vhost NULL: the address */
    uint8_t ok[(CODE_MAX + 8) / 8]; /* bit per code */
};

struct http_target {
    struct dial dial;
    const struct http_service *service;
    char *request;
    size_t request_len, sent;
    struct status_line status;
};

/* ---- configuration ------------------------------------------------------------------------- */

static void ok_add(struct http_service *s, unsigned code)
{
    s->ok[code / 8] |= (uint8_t)(1u << code % 8);
}

static bool ok_has(const struct http_service *s, unsigned code)
{
    return (s->ok[code / 8] & 1u << code % 8) != 0;
}

static int read_codes(struct http_service *s, const struct http_conf *c, const struct th_host *host,
                      struct th_diag *d)
{
    int e = 0;
    if (c->ok_codes.count == 0)
        ok_add(s, 200);
    for (size_t i = 0; i < c->ok_codes.count; i++) {
        const char *text = c->ok_codes.items[i];
        if (strlen(text) == 3 && strspn(text, "0123456789") == 3 && text[0] != '0')
            ok_add(s, (unsigned)strtoul(text, NULL, 10));
        else
            e = host->error(d, c->ok_codes.nodes ? c->ok_codes.nodes[i] : NULL,
                            "ok_codes: \"%s\" is not a status code of %u to %u", text, CODE_MIN,
                            CODE_MAX);
    }
    return e;
}

/* Neither may end its line of the request, or be two words of it. */
static bool is_one_word(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= 0x20 || *text == 0x7f)
            return false;
    return true;
}

static int check_texts(const struct http_conf *c, const char *name, const struct th_host *host,
                       const struct th_conf *at, struct th_diag *d)
{
    if (host->gdnsd)
        return 0;
    if (c->url_path[0] != '/' || !is_one_word(c->url_path))
        return host->error(d, at,
                           "service type %s: url_path \"%s\" is not a path: it starts with / and "
                           "has no blanks (write them %%20)",
                           name, c->url_path);
    if (c->vhost && (!c->vhost[0] || !is_one_word(c->vhost)))
        return host->error(d, at, "service type %s: vhost \"%s\" is not a host name", name,
                           c->vhost);
    return 0;
}

static int service_open(const struct th_host *host, struct th_env *env, const char *name,
                        const void *conf, const struct th_conf *at, struct th_diag *d,
                        void **service)
{
    const struct http_conf *c = conf;
    struct http_service *s = host->alloc(env, sizeof *s);
    int e = read_codes(s, c, host, d), texts = check_texts(c, name, host, at, d);
    if (host->gdnsd && c->port > 65534)
        return host->error(d, at,
                           "service type %s: port %u is above 65534, the limit under "
                           "compat => gdnsd3",
                           name, (unsigned)c->port);
    s->gdnsd = host->gdnsd;
    s->port = (uint16_t)c->port;
    s->path = c->url_path;
    s->vhost = c->vhost;
    *service = s;
    return e ? e : texts;
}

/* ---- the request --------------------------------------------------------------------------- */

/* The address as a Host: [2001:db8::1]:8080; the port of http goes without saying. */
static void print_host(const struct th_addr *addr, uint16_t port, char *out, size_t size)
{
    char text[INET6_ADDRSTRLEN];
    bool v6 = addr->family == 6;
    inet_ntop(v6 ? AF_INET6 : AF_INET, addr->bytes, text, sizeof text);
    int n = snprintf(out, size, v6 ? "[%s]" : "%s", text);
    if (port != 80)
        snprintf(out + n, size - (size_t)n, ":%u", (unsigned)port);
}

/* Allocated; its length, or negative. */
static int request_print(const struct http_service *s, const struct th_addr *addr, char **out)
{
    char host[INET6_ADDRSTRLEN + 16];
    const char *agent = s->gdnsd ? "gdnsd-monitor" : "thresh-monitor";
    if (s->gdnsd && !s->vhost)
        return asprintf(out, "GET %s HTTP/1.0\r\nUser-Agent: %s\r\n\r\n", s->path, agent);
    print_host(addr, s->port, host, sizeof host);
    return asprintf(out,
                    "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nUser-Agent: %s\r\n\r\n",
                    s->path, s->vhost ? s->vhost : host, agent);
}

/* ---- one attempt --------------------------------------------------------------------------- */

static bool is_interim(unsigned code)
{
    return code < 200 && code != 101; /* 101 is final, and nothing we asked for */
}

static void end_with_code(struct http_target *t, unsigned code)
{
    char text[40];
    bool ok = ok_has(t->service, code);
    snprintf(text, sizeof text, ok ? "%u" : "%u, not in ok_codes", code);
    dial_end(&t->dial, ok ? TH_PROBE_UP : TH_PROBE_DOWN, ok ? TH_CAUSE_NONE : TH_CAUSE_STATUS,
             text);
}

static void end_not_http(struct http_target *t)
{
    char text[80];
    if (t->status.seen > STATUS_LINE_LIMIT)
        snprintf(text, sizeof text, "no end of the status in %u bytes", STATUS_LINE_LIMIT);
    else
        snprintf(text, sizeof text, "not HTTP/1: \"%s\"", t->status.head);
    dial_end(&t->dial, TH_PROBE_DOWN, TH_CAUSE_PROTOCOL, text);
}

static void end_eof(struct http_target *t)
{
    char text[80];
    snprintf(text, sizeof text, "closed after %u bytes, before the status was complete",
             (unsigned)t->status.seen);
    dial_end(&t->dial, TH_PROBE_DOWN, TH_CAUSE_EOF, text);
}

/* True if the attempt has ended. */
static bool take_bytes(struct http_target *t, const char *bytes, size_t n)
{
    for (size_t used; n; bytes += used, n -= used) {
        switch (status_line_feed(&t->status, bytes, n, &used)) {
        case STATUS_MORE: return false;
        case STATUS_BAD: end_not_http(t); return true;
        case STATUS_CODE:
            if (t->service->gdnsd || ok_has(t->service, t->status.code) ||
                !is_interim(t->status.code)) {
                end_with_code(t, t->status.code);
                return true;
            }
            status_line_skip(&t->status);
            break;
        }
    }
    return false;
}

static void receive(struct http_target *t)
{
    char bytes[2048];
    /* gdnsd reads no more than it judges */
    size_t room = t->service->gdnsd ? STATUS_LINE_GDNSD - t->status.seen : sizeof bytes;
    ssize_t n = recv(t->dial.fd, bytes, room, 0);
    if (n > 0)
        take_bytes(t, bytes, (size_t)n);
    else if (n == 0)
        end_eof(t);
    else if (errno != EAGAIN && errno != EINTR)
        dial_end_error(&t->dial, "receive", errno);
}

static void send_request(struct http_target *t)
{
    ssize_t n = send(t->dial.fd, t->request + t->sent, t->request_len - t->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        dial_end_error(&t->dial, "send", errno);
        return;
    }
    if (n > 0)
        t->sent += (size_t)n;
    dial_watch(&t->dial, t->sent == t->request_len ? TH_IO_READ : TH_IO_WRITE);
}

static void on_ready(void *arg, unsigned events)
{
    struct http_target *t = arg;
    (void)events;
    if (t->sent < t->request_len)
        send_request(t);
    else
        receive(t);
}

static void probe_start(void *target)
{
    struct http_target *t = target;
    t->sent = 0;
    status_line_init(&t->status, t->service->gdnsd);
    dial_start(&t->dial);
}

static void probe_cancel(void *target)
{
    dial_hang_up(&((struct http_target *)target)->dial);
}

/* ---- targets ------------------------------------------------------------------------------- */

static void target_close(void *target)
{
    struct http_target *t = target;
    dial_fini(&t->dial);
    free(t->request);
    free(t);
}

static int target_open(const struct th_host *host, void *service, struct th_target *target,
                       const struct th_addr *addr, void **out)
{
    const struct http_service *s = service;
    struct http_target *t = calloc(1, sizeof *t);
    if (!t)
        return -1;
    t->service = s;
    int len = request_print(s, addr, &t->request);
    if (len < 0) {
        free(t); /* asprintf leaves the pointer undefined */
        return -1;
    }
    t->request_len = (size_t)len;
    if (dial_init(&t->dial, host, target, addr, s->port) != 0) {
        free(t->request);
        free(t);
        return -1;
    }
    dial_on_ready(&t->dial, on_ready, t);
    *out = t;
    return 0;
}

static const struct th_monitor monitor = {.service_keys = service_keys,
                                          .service_size = sizeof(struct http_conf),
                                          .service_open = service_open,
                                          .target_open = target_open,
                                          .target_close = target_close,
                                          .probe_start = probe_start,
                                          .probe_cancel = probe_cancel,
                                          .flags = TH_MONITOR_CONNECTS};

TH_PLUGIN(http_status) = {TH_PLUGIN_HEAD, .name = "http_status", .version = "1",
                          .monitor = &monitor};

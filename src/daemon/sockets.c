/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/sockets.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/netprefix.h"
#include "conf/schema.h"

/* DNS over TCP without a header in front: nobody speaks PROXY there. */
enum { PORT_DNS = 53 };

/* Keys of one address. */
struct address_keys {
    struct socket_keys socket;
    bool tcp_pad, tcp_proxy;
};

/* The first fields of struct address_keys are a struct socket_keys: one table serves both. */
_Static_assert(offsetof(struct address_keys, socket) == 0, "socket_keys are read in place");

/* clang-format off */
#define ADDRESS_AT(field) .offset = offsetof(struct address_keys, field)
static const struct th_key address_keys[] = {
    TCP_SOCKET_KEYS,
    {.name = "tcp_pad", .type = TH_BOOL, ADDRESS_AT(tcp_pad), .def = "false",
     .help = "pad TCP responses to multiples of 468 bytes; true by default with tcp_proxy"},
    {.name = "tcp_proxy", .type = TH_BOOL, ADDRESS_AT(tcp_proxy), .def = "false",
     .help = "each connection begins with a PROXY header; no UDP here"},
    UDP_SOCKET_KEYS,
    {0},
};
/* clang-format on */

struct reader {
    struct options *o;
    const struct sockets_rules *rules;
    struct diag *d;
};

static unsigned processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 1024 ? 1024 : (unsigned)n;
}

static unsigned udp_threads(const struct address_keys *k)
{
    if (k->tcp_proxy)
        return 0;
    return k->socket.udp_threads ? k->socket.udp_threads : processors();
}

static int add(const struct reader *l, const struct netaddr *a, const struct address_keys *k,
               struct diag_loc loc)
{
    struct options *o = l->o;
    char text[NETADDR_TEXT];
    for (size_t i = 0; i < o->listen_count; i++)
        if (th_addr_equal(&o->listen[i].addr.addr, &a->addr) && o->listen[i].addr.port == a->port)
            return diag_error(l->d, loc, "listen: %s is named twice", netaddr_print(a, text));
    o->listen = mem_grow(o->listen, o->listen_count + 1, sizeof *o->listen);
    o->listen[o->listen_count++] = (struct listen_spec){
        .addr = *a,
        .udp_threads = udp_threads(k),
        .tcp_threads = k->socket.tcp_threads,
        .tcp_clients_per_thread = k->socket.tcp_clients_per_thread,
        .tcp_timeout_ms = k->socket.tcp_timeout_ms,
        .tcp_backlog = k->socket.tcp_backlog,
        .tcp_fastopen = k->socket.tcp_fastopen,
        .tcp_pad = k->tcp_pad,
        .tcp_proxy = k->tcp_proxy,
        .proxy_strict = o->gdnsd,
        .dso = l->rules->dso,
        .udp_rcvbuf = k->socket.udp_rcvbuf,
        .udp_sndbuf = k->socket.udp_sndbuf,
        .loc = loc,
    };
    return 0;
}

static struct address_keys usual_keys(const struct reader *l)
{
    return (struct address_keys){.socket = *l->rules->keys};
}

static int add_any(const struct reader *l, struct diag_loc loc)
{
    const struct address_keys k = usual_keys(l);
    struct netaddr a = {.addr = {.family = 4}, .port = l->rules->port};
    int e = add(l, &a, &k, loc);
    a.addr.family = 6;
    return e ? e : add(l, &a, &k, loc);
}

/* Addresses that no socket can be bound to: a start would fail where checkconf did not. */
static const struct {
    struct netprefix net;
    const char *why;
} unbindable[] = {
    {{{.family = 6, .bytes = {[10] = 0xff, 0xff}}, 96}, "write the IPv4 address without ::ffff:"},
    {{{.family = 6, .bytes = {0xfe, 0x80}}, 10},
     "a link-local address is one only together with an interface; write another, or ::"},
    {{{.family = 6, .bytes = {0xff}}, 8}, "a multicast address is no server's own"},
};

static int check_bindable(const struct reader *l, const char *text, const struct netaddr *a,
                          struct diag_loc loc)
{
    for (size_t i = 0; i < array_len(unbindable); i++)
        if (netprefix_contains(&unbindable[i].net, &a->addr))
            return diag_error(l->d, loc, "listen: \"%s\": %s", text, unbindable[i].why);
    return 0;
}

static int add_text(const struct reader *l, const char *text, const struct address_keys *k,
                    struct diag_loc loc)
{
    struct netaddr a;
    int e = netaddr_parse_spec(text, l->rules->port, &a);
    if (e == ERR_RANGE)
        return diag_error(l->d, loc, "listen: the port of \"%s\" is not within 1 to 65535", text);
    if (e)
        return diag_error(l->d, loc,
                          "listen: \"%s\" is no address; write ADDR, V4:PORT, [V6] or "
                          "[V6]:PORT",
                          text);
    if (k->tcp_proxy && a.port == PORT_DNS)
        return diag_error(l->d, loc,
                          "listen: \"%s\" with tcp_proxy is port %d, where clients come without a "
                          "PROXY header; choose another port",
                          text, PORT_DNS);
    e = check_bindable(l, text, &a, loc);
    return e ? e : add(l, &a, k, loc);
}

static int add_item(const struct reader *l, const struct th_conf *item)
{
    const char *text = vnode_text(item);
    const struct address_keys k = usual_keys(l);
    if (!text || strlen(text) != vnode_text_len(item))
        return diag_error(l->d, vnode_loc(item),
                          "listen: an address is expected here; one "
                          "with brackets needs quotes: \"[::1]:53\"");
    return add_text(l, text, &k, vnode_loc(item));
}

/* Behind a proxy there are connections only. */
static int check_proxy(const struct reader *l, const struct th_conf *conf)
{
    static const char *const udp[] = {"udp_threads", "udp_rcvbuf", "udp_sndbuf"};
    int e = 0;
    for (size_t i = 0; i < array_len(udp); i++) {
        const struct th_conf *at = vnode_find(conf, udp[i]);
        if (at)
            e = diag_error(l->d, vnode_loc(at),
                           "listen: %s has no meaning with tcp_proxy, which is for TCP alone; "
                           "remove one of the two",
                           udp[i]);
    }
    return e;
}

static int add_pair(const struct reader *l, const struct th_conf *hash, size_t i)
{
    const struct th_conf *conf = vnode_pair_at(hash, i);
    struct address_keys k = usual_keys(l);
    if (vnode_kind(conf) != VNODE_HASH)
        return diag_error(l->d, vnode_loc(conf), "listen: %s => { keys } is expected",
                          vnode_pair_key(hash, i));
    int e = schema_read(address_keys, conf, "listen", SCHEMA_REFUSE_REST, &k, l->d);
    if (!e && k.tcp_proxy)
        e = check_proxy(l, conf);
    if (k.tcp_proxy && !vnode_find(conf, "tcp_pad"))
        k.tcp_pad = true; /* the proxy encrypts, and lengths would tell */
    return e ? e : add_text(l, vnode_pair_key(hash, i), &k, vnode_pair_loc(hash, i));
}

int sockets_read(const struct th_conf *conf, const struct sockets_rules *rules, struct diag *d,
                 struct options *o)
{
    const struct reader l = {o, rules, d};
    const char *text = conf ? vnode_text(conf) : NULL;
    if (!conf)
        diag_warn(d, DIAG_NOWHERE,
                  "no listen option: listening on every address; name them in options => listen");
    if (!conf || (text && strcmp(text, "any") == 0))
        return add_any(&l, conf ? vnode_loc(conf) : DIAG_NOWHERE);
    bool hash = vnode_kind(conf) == VNODE_HASH;
    size_t count = hash ? vnode_pair_count(conf) : vnode_list_count(conf);
    if (count == 0)
        return diag_error(d, vnode_loc(conf), "listen is empty; write an address, or any");
    int e = 0;
    for (size_t i = 0; i < count; i++) {
        int failed = hash ? add_pair(&l, conf, i) : add_item(&l, vnode_list_at(conf, i));
        e = failed ? failed : e;
    }
    return e;
}

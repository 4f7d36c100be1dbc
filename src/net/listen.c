/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/listen.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"

/* RFC 8200: every IPv6 path carries 1,280 bytes. */
#define IPV6_MIN_MTU 1280
/* tcp(7): data is awaited this long at most before a connection is handed to us. */
#define TCP_DEFER_MAX_S 30

static const uint8_t unspecified[16];

bool listen_is_any(const struct netaddr *a)
{
    return memcmp(a->addr.bytes, unspecified, th_addr_len(&a->addr)) == 0;
}

/* Options that only make things better: a system without them serves all the same. */
static void set_soft(int fd, int level, int option, int value)
{
    if (setsockopt(fd, level, option, &value, sizeof value) != 0)
        log_debug("listen: socket option %d/%d = %d not set: %s", level, option, value,
                  strerror(errno));
}

static bool set_hard(int fd, int level, int option, int value)
{
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

/* 0 leaves the system's default. "net.core.rmem_max" caps what we get; the FORCE form passes it
 * where we are allowed to. */
static void set_buffer(int fd, int option, int force_option, uint32_t bytes)
{
    int value = (int)bytes;
    if (bytes && setsockopt(fd, SOL_SOCKET, force_option, &value, sizeof value) != 0)
        set_soft(fd, SOL_SOCKET, option, value);
}

static bool set_common(int fd, const struct listen_spec *s)
{
    return set_hard(fd, SOL_SOCKET, SO_REUSEADDR, 1) && set_hard(fd, SOL_SOCKET, SO_REUSEPORT, 1) &&
           (s->addr.addr.family == 4 || set_hard(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1));
}

static bool set_udp(int fd, const struct listen_spec *s)
{
    bool any = listen_is_any(&s->addr);
    set_buffer(fd, SO_RCVBUF, SO_RCVBUFFORCE, s->udp_rcvbuf);
    set_buffer(fd, SO_SNDBUF, SO_SNDBUFFORCE, s->udp_sndbuf);
    if (s->addr.addr.family == 4) {
        /* no path MTU state for forged ICMP to poison; fragments rather than silence */
        set_soft(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_OMIT);
        return !any || set_hard(fd, IPPROTO_IP, IP_PKTINFO, 1);
    }
    set_soft(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_OMIT);
    set_soft(fd, IPPROTO_IPV6, IPV6_MTU, IPV6_MIN_MTU);
    return !any || set_hard(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
}

static void set_tcp(int fd, const struct listen_spec *s)
{
    uint32_t timeout_s = s->tcp_timeout_ms / 1000;
    set_soft(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_soft(fd, IPPROTO_TCP, TCP_FASTOPEN, (int)s->tcp_fastopen);
    set_soft(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT,
             (int)(timeout_s < TCP_DEFER_MAX_S ? timeout_s : TCP_DEFER_MAX_S));
    if (s->addr.addr.family == 6)
        set_soft(fd, IPPROTO_IPV6, IPV6_MTU, IPV6_MIN_MTU);
}

static bool bind_to(int fd, const struct netaddr *a)
{
    struct sockaddr_storage ss;
    socklen_t len = netaddr_to_sockaddr(a, &ss);
    if (bind(fd, (struct sockaddr *)&ss, len) == 0)
        return true;
    if (errno != EADDRNOTAVAIL)
        return false;
    /* an address that comes later (anycast, fail-over) may be bound ahead of it */
    bool v4 = a->addr.family == 4;
    char text[NETADDR_TEXT];
    if (!set_hard(fd, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_FREEBIND : IPV6_FREEBIND, 1) ||
        bind(fd, (struct sockaddr *)&ss, len) != 0)
        return false;
    log_warning("listen: %s: no such address on this host yet; bound ahead of it",
                netaddr_print(a, text));
    return true;
}

static int fail(int fd, const struct listen_spec *s, const char *protocol, struct diag *d)
{
    char text[NETADDR_TEXT];
    int e = errno;
    if (fd >= 0)
        close(fd);
    return diag_error(d, s->loc, "cannot listen on %s (%s): %s%s", netaddr_print(&s->addr, text),
                      protocol, strerror(e),
                      e == EACCES ? "; ports below 1024 need root or CAP_NET_BIND_SERVICE" : "");
}

int listen_udp(const struct listen_spec *s, struct diag *d)
{
    int family = s->addr.addr.family == 4 ? AF_INET : AF_INET6;
    int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !set_common(fd, s) || !set_udp(fd, s) || !bind_to(fd, &s->addr))
        return fail(fd, s, "UDP", d);
    return fd;
}

int listen_tcp(const struct listen_spec *s, struct diag *d)
{
    int family = s->addr.addr.family == 4 ? AF_INET : AF_INET6;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || !set_common(fd, s))
        return fail(fd, s, "TCP", d);
    set_tcp(fd, s);
    /* the kernel caps it at net.core.somaxconn */
    int backlog = s->tcp_backlog ? (int)s->tcp_backlog : SOMAXCONN;
    if (!bind_to(fd, &s->addr) || listen(fd, backlog) != 0)
        return fail(fd, s, "TCP", d);
    return fd;
}

/* Bind as somebody would who shares with nobody; only "in use" counts. */
static bool is_taken(const struct netaddr *a, int type)
{
    struct sockaddr_storage ss;
    socklen_t len = netaddr_to_sockaddr(a, &ss);
    int fd = socket(ss.ss_family, type | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;        /* opening the real one will say why */
    if (type == SOCK_STREAM) /* connections that linger are no server */
        set_soft(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (a->addr.family == 6)
        set_soft(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    bool taken = bind(fd, (struct sockaddr *)&ss, len) != 0 && errno == EADDRINUSE;
    close(fd);
    return taken;
}

int listen_check_free(const struct listen_spec *s, struct diag *d)
{
    char text[NETADDR_TEXT];
    bool udp = s->udp_threads && is_taken(&s->addr, SOCK_DGRAM);
    if (!udp && !(s->tcp_threads && is_taken(&s->addr, SOCK_STREAM)))
        return 0;
    return diag_error(d, s->loc, "cannot listen on %s (%s): another server has it",
                      netaddr_print(&s->addr, text), udp ? "UDP" : "TCP");
}

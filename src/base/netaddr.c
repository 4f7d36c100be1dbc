/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/netaddr.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

int netaddr_parse_addr(const char *text, struct th_addr *out)
{
    struct th_addr a = {0};
    if (inet_pton(AF_INET, text, a.bytes) == 1)
        a.family = 4;
    else if (inet_pton(AF_INET6, text, a.bytes) == 1)
        a.family = 6;
    else
        return ERR_SYNTAX;
    *out = a;
    return 0;
}

int netaddr_parse_addr_lax(const char *text, struct th_addr *out)
{
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM};
    if (getaddrinfo(text, NULL, &hints, &found) != 0)
        return ERR_SYNTAX;
    struct netaddr a;
    int e = netaddr_from_sockaddr(found->ai_addr, &a);
    freeaddrinfo(found);
    if (e == 0)
        *out = a.addr;
    return e;
}

static int parse_port(const char *text, uint16_t *out)
{
    unsigned port = 0;
    if (!*text)
        return ERR_SYNTAX;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return ERR_SYNTAX;
        port = port * 10 + (unsigned)(*text - '0');
        if (port > 65535)
            return ERR_RANGE;
    }
    if (port == 0)
        return ERR_RANGE;
    *out = (uint16_t)port;
    return 0;
}

/* Split `text` into host and port text; port stays NULL when none is written. */
static int split_spec(const char *text, char host[NETADDR_TEXT], const char **port)
{
    const char *start = text, *end, *first = strchr(text, ':');
    *port = NULL;
    if (*text == '[') {
        start = text + 1;
        end = strchr(start, ']');
        if (!end || (end[1] && end[1] != ':'))
            return ERR_SYNTAX;
        if (end[1])
            *port = end + 2;
    } else if (first && !strchr(first + 1, ':')) {
        end = first;
        *port = first + 1;
    } else {
        end = text + strlen(text);
    }
    size_t len = (size_t)(end - start);
    if (len == 0 || len >= NETADDR_TEXT)
        return ERR_SYNTAX;
    memcpy(host, start, len);
    host[len] = '\0';
    return 0;
}

int netaddr_parse_spec(const char *text, uint16_t default_port, struct netaddr *out)
{
    char host[NETADDR_TEXT];
    const char *port;
    struct netaddr a = {.port = default_port};
    if (split_spec(text, host, &port) != 0 || netaddr_parse_addr(host, &a.addr) != 0)
        return ERR_SYNTAX;
    if (a.addr.family == 4 && *text == '[')
        return ERR_SYNTAX;
    if (port && *port) { /* "192.0.2.1:" means the default port */
        int e = parse_port(port, &a.port);
        if (e)
            return e;
    }
    *out = a;
    return 0;
}

const char *netaddr_print_addr(const struct th_addr *a, char buf[NETADDR_TEXT])
{
    if (!inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, buf, NETADDR_TEXT))
        buf[0] = '\0';
    return buf;
}

const char *netaddr_print(const struct netaddr *a, char buf[NETADDR_TEXT])
{
    char host[NETADDR_TEXT];
    (void)snprintf(buf, NETADDR_TEXT, a->addr.family == 6 ? "[%.45s]:%u" : "%.45s:%u",
                   netaddr_print_addr(&a->addr, host), a->port); /* sized by NETADDR_TEXT */
    return buf;
}

socklen_t netaddr_to_sockaddr(const struct netaddr *a, struct sockaddr_storage *ss)
{
    memset(ss, 0, sizeof *ss);
    if (a->addr.family == 4) {
        struct sockaddr_in *in = (struct sockaddr_in *)ss;
        in->sin_family = AF_INET;
        in->sin_port = htons(a->port);
        memcpy(&in->sin_addr, a->addr.bytes, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(a->port);
    memcpy(&in6->sin6_addr, a->addr.bytes, 16);
    return sizeof *in6;
}

int netaddr_from_sockaddr(const struct sockaddr *sa, struct netaddr *out)
{
    struct netaddr a = {0};
    if (sa->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, sa, sizeof in);
        a.addr.family = 4;
        memcpy(a.addr.bytes, &in.sin_addr, 4);
        a.port = ntohs(in.sin_port);
    } else if (sa->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, sa, sizeof in6);
        a.addr.family = 6;
        memcpy(a.addr.bytes, &in6.sin6_addr, 16);
        a.port = ntohs(in6.sin6_port);
    } else {
        return ERR_RANGE;
    }
    *out = a;
    return 0;
}

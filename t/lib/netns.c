/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/netns.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/ipv6.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Inherited by check's forks. */
#define MARK "THRESH_NETNS"
/* Milliseconds. */
#define AWAIT_STEPS 10000

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        perror(path);
    if (fd >= 0)
        close(fd);
}

/* Inside we are who we are outside: files keep their owner. */
static void map_ids(uid_t uid, gid_t gid)
{
    char line[64];
    write_file("/proc/self/setgroups", "deny");
    (void)snprintf(line, sizeof line, "%u %u 1", uid, uid); /* fits */
    write_file("/proc/self/uid_map", line);
    (void)snprintf(line, sizeof line, "%u %u 1", gid, gid); /* fits */
    write_file("/proc/self/gid_map", line);
}

static bool raise_lo(void)
{
    struct ifreq r = {.ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    strcpy(r.ifr_name, "lo");
    bool ok = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &r) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool add_v6(const char *text)
{
    struct in6_ifreq r = {.ifr6_prefixlen = 128, .ifr6_ifindex = 1}; /* lo is the first */
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok =
        inet_pton(AF_INET6, text, &r.ifr6_addr) == 1 && fd >= 0 && ioctl(fd, SIOCSIFADDR, &r) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* A new address is tentative for a moment and cannot be bound then. */
static bool await_v6(const char *text)
{
    struct sockaddr_in6 a = {.sin6_family = AF_INET6};
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok = false;
    if (fd < 0 || inet_pton(AF_INET6, text, &a.sin6_addr) != 1)
        return false;
    for (int i = 0; i < AWAIT_STEPS && !ok; i++) {
        ok = bind(fd, (struct sockaddr *)&a, sizeof a) == 0;
        if (!ok)
            poll(NULL, 0, 1);
    }
    close(fd);
    return ok;
}

static bool set_up_lo(void)
{
    static const char *const addrs[] = {"fd00::11", "fd00::12", "fd00::13", "fd00::14"};
    const size_t count = sizeof addrs / sizeof *addrs;
    bool ok = raise_lo();
    for (size_t i = 0; i < count && ok; i++)
        ok = add_v6(addrs[i]);
    for (size_t i = 0; i < count && ok; i++)
        ok = await_v6(addrs[i]);
    return ok;
}

void netns_enter(void)
{
    uid_t uid = getuid();
    gid_t gid = getgid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
        map_ids(uid, gid);
    else if (unshare(CLONE_NEWNET) != 0) {
        perror("netns: no network of our own, some tests are left out");
        return;
    }
    if (set_up_lo())
        setenv(MARK, "1", 1);
    else
        perror("netns: lo cannot be set up, some tests are left out");
}

bool netns_is_own(void)
{
    return getenv(MARK) != NULL;
}

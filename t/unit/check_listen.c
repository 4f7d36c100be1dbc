/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listening sockets: several of ours share an address, two servers do not. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/listen.h"
#include "unit/run.h"

/* A free port, as the system gives one. */
static struct listen_spec free_spec(int type)
{
    struct listen_spec s = {.udp_threads = 1, .tcp_threads = 1, .tcp_timeout_ms = 5000};
    struct sockaddr_in in = {.sin_family = AF_INET};
    socklen_t len = sizeof in;
    int fd = socket(AF_INET, type, 0);
    ck_assert_int_eq(netaddr_parse_addr("127.0.0.1", &s.addr.addr), 0);
    memcpy(&in.sin_addr, s.addr.addr.bytes, 4);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&in, len), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&in, &len), 0);
    s.addr.port = ntohs(in.sin_port);
    close(fd);
    return s;
}

START_TEST(sockets_of_one_server_share_an_address)
{
    struct diag d = {0};
    struct listen_spec s = free_spec(SOCK_STREAM);
    int fds[4] = {listen_udp(&s, &d), listen_udp(&s, &d), listen_tcp(&s, &d), listen_tcp(&s, &d)};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_ge(fds[i], 0);
        close(fds[i]);
    }
    diag_fini(&d);
}
END_TEST

START_TEST(another_server_is_noticed)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        struct diag d = {0};
        struct listen_spec s = free_spec(tcp ? SOCK_STREAM : SOCK_DGRAM);
        ck_assert_int_eq(listen_check_free(&s, &d), 0);
        int fd = tcp ? listen_tcp(&s, &d) : listen_udp(&s, &d);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_ne(listen_check_free(&s, &d), 0);
        ck_assert_ptr_nonnull(strstr(d.entries[0].text, "another server has it"));
        struct listen_spec any = s;
        memset(any.addr.addr.bytes, 0, sizeof any.addr.addr.bytes);
        ck_assert_int_ne(listen_check_free(&any, &d), 0);
        close(fd);
        ck_assert_int_eq(listen_check_free(&s, &d), 0);
        diag_fini(&d);
    }
}
END_TEST

static Suite *listen_suite(void)
{
    Suite *s = suite_create("listen");
    TCase *t = tcase_create("listen");
    tcase_add_test(t, sockets_of_one_server_share_an_address);
    tcase_add_test(t, another_server_is_noticed);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(listen_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control socket: the protocol's bytes, good clients, bad clients. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "ctl/proto.h"
#include "unit/ctl_fake.h"
#include "unit/run.h"

/* What a client has received; is_done when `want` bytes or the end have come. */
struct reader {
    int fd;
    size_t want, at_a_time; /* 0: as much as there is */
    bool at_end;
    struct buf got;
};

static bool reader_is_done(void *arg)
{
    struct reader *r = arg;
    char bytes[4096];
    size_t room = r->at_a_time ? r->at_a_time : sizeof bytes;
    while (!r->want || r->got.len < r->want) {
        ssize_t n = recv(r->fd, bytes, room, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN)
            return false;
        r->at_end = n <= 0;
        if (r->at_end)
            break;
        buf_add(&r->got, bytes, (size_t)n);
    }
    return true;
}

static void send_bytes(int fd, const void *bytes, size_t len)
{
    ck_assert_int_eq(send(fd, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
}

static void ask(int fd, char key, uint32_t d)
{
    uint8_t h[PROTO_HEADER_BYTES];
    proto_print(&(struct proto_header){(uint8_t)key, 0, d}, h);
    send_bytes(fd, h, sizeof h);
}

static struct proto_header receive(struct fake *f, int fd, struct buf *data)
{
    struct proto_header h;
    struct reader r = {.fd = fd, .want = PROTO_HEADER_BYTES, .at_a_time = PROTO_HEADER_BYTES};
    fake_turn_until(f, reader_is_done, &r);
    ck_assert_uint_eq(r.got.len, PROTO_HEADER_BYTES);
    proto_parse((const uint8_t *)r.got.data, &h);
    buf_fini(&r.got);
    if (!data)
        return h;
    r = (struct reader){.fd = fd, .want = h.d};
    if (h.d)
        fake_turn_until(f, reader_is_done, &r);
    *data = r.got;
    return h;
}

static void expect(struct fake *f, int fd, char key)
{
    struct proto_header h = receive(f, fd, NULL);
    ck_assert_int_eq(h.key, key);
    ck_assert_uint_eq(h.v, 0);
    ck_assert_uint_eq(h.d, 0);
}

static void expect_text(struct fake *f, int fd, const char *text)
{
    struct buf data = {0};
    struct proto_header h = receive(f, fd, &data);
    ck_assert_int_eq(h.key, 'A');
    ck_assert_uint_eq(h.d, strlen(text));
    ck_assert_str_eq(data.data ? data.data : "", text);
    buf_fini(&data);
}

static void expect_end(struct fake *f, int fd)
{
    struct reader r = {.fd = fd};
    fake_turn_until(f, reader_is_done, &r);
    ck_assert_uint_eq(r.got.len, 0);
    buf_fini(&r.got);
    ck_assert_int_eq(close(fd), 0);
}

static bool is_hung_up(void *arg)
{
    struct pollfd p = {.fd = *(int *)arg};
    return poll(&p, 1, 0) == 1 && (p.revents & POLLHUP);
}

static bool is_open_and_silent(int fd)
{
    char c;
    return recv(fd, &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* The server has taken in whatever was sent: another client has been answered since, twice. */
static void settle(struct fake *f)
{
    int fd = fake_connect(f);
    for (int i = 0; i < 2; i++) {
        ask(fd, 'W', 0);
        expect_text(f, fd, f->why ? f->why : "");
    }
    ck_assert_int_eq(close(fd), 0);
}

/* ---- the codec ---- */

START_TEST(proto_has_gdnsds_bytes)
{
    uint8_t out[PROTO_HEADER_BYTES];
    uint32_t d = 0xa1b2c3d4;
    struct proto_header h = {'A', 0x030801, d}, back;
    proto_print(&h, out);
    ck_assert_mem_eq(out, "A\x03\x08\x01", 4);
    ck_assert_mem_eq(out + 4, &d, 4);
    proto_parse(out, &back);
    ck_assert_int_eq(back.key, 'A');
    ck_assert_uint_eq(back.v, 0x030801);
    ck_assert_uint_eq(back.d, d);
}
END_TEST

/* ---- requests ---- */

START_TEST(answers_in_turn_on_one_connection)
{
    struct fake f;
    fake_open(&f);
    f.states_len = 3;
    f.why = "zones/x:1:2: bad\n";
    int fd = fake_connect(&f);
    ask(fd, 'I', 0);
    struct proto_header h = receive(&f, fd, NULL);
    ck_assert_int_eq(h.key, 'A');
    ck_assert_uint_eq(h.v, FAKE_VERSION);
    ck_assert_uint_eq(h.d, (uint32_t)getpid());
    ask(fd, 'S', 0);
    expect_text(&f, fd, FAKE_STATS);
    ask(fd, 'E', 0);
    expect_text(&f, fd, "abc");
    ask(fd, 'W', 0);
    expect_text(&f, fd, f.why);
    f.why = NULL;
    ask(fd, 'W', 0);
    expect_text(&f, fd, "");
    close(fd);
    fake_close(&f);
}
END_TEST

START_TEST(answers_pipelined_requests_in_order)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    ask(fd, 'S', 0);
    ask(fd, 'Z', 0);
    ask(fd, 'Q', 0);
    ask(fd, 'S', 0);
    expect_text(&f, fd, FAKE_STATS);
    settle(&f);
    ck_assert_uint_eq(f.waiting_count, 1);
    ck_assert(is_open_and_silent(fd));
    ctl_request_done(f.waiting[0], true, "", 0);
    expect(&f, fd, 'A');
    expect(&f, fd, 'U');
    expect_text(&f, fd, FAKE_STATS);
    close(fd);
    fake_close(&f);
}
END_TEST

/* Names come behind the header, in pieces if they like; what is asked next is no part of them. */
START_TEST(reload_takes_names)
{
    static const char names[] = "a.example\0b\0\0c"; /* and a NUL: an empty name is one */
    struct fake f;
    fake_open(&f);
    f.answer_at_once = 1;
    f.why = "told";
    int fd = fake_connect(&f);
    ask(fd, 'z', sizeof names);
    send_bytes(fd, names, 4);
    settle(&f);
    send_bytes(fd, names + 4, sizeof names - 4);
    ask(fd, 'N', 0);
    expect_text(&f, fd, "told");
    ck_assert_str_eq(fake_reloads(&f), "a.example,b,,c,");
    expect_text(&f, fd, FAKE_ZONES);
    ask(fd, 'z', 0);
    expect_text(&f, fd, "told");
    ck_assert_str_eq(fake_reloads(&f), "all");
    ask(fd, 'Z', 0); /* gdnsd's: no text */
    expect(&f, fd, 'A');
    ask(fd, 'z', 3);
    send_bytes(fd, "abc", 3); /* no NUL at the end */
    expect_end(&f, fd);
    fd = fake_connect(&f);
    ask(fd, 'z', PROTO_NAMES_MAX + 1);
    expect_end(&f, fd);
    fake_close(&f);
}
END_TEST

static const char unknown_keys[] = {'R', 'D', '1', '2', 'T', 'i', 'A', 0, -1};

START_TEST(answers_unknown_keys)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    ask(fd, unknown_keys[_i], 7);
    expect(&f, fd, 'U');
    ask(fd, 'S', 0);
    expect_text(&f, fd, FAKE_STATS);
    close(fd);
    fake_close(&f);
}
END_TEST

static void ask_challenges(int fd, unsigned count, uint32_t len)
{
    uint8_t h[PROTO_HEADER_BYTES];
    proto_print(&(struct proto_header){PROTO_CHALLENGES, count, len}, h);
    send_bytes(fd, h, sizeof h);
}

START_TEST(challenges_and_their_data)
{
    struct fake f;
    static const uint32_t bad[][2] = {{0, 45}, {101, 45}, {1, 0}, {1, PROTO_CHALLENGES_MAX + 1}};
    char data[PROTO_CHALLENGES_MAX];
    memset(data, 'X', sizeof data); /* no request to stop */
    fake_open(&f);
    int fd = fake_connect(&f);
    ask_challenges(fd, 100, sizeof data);
    send_bytes(fd, data, sizeof data);
    expect(&f, fd, 'A');
    ck_assert_uint_eq(f.challenge_count, 100);
    f.refuse_challenges = true;
    ask_challenges(fd, 1, 7);
    send_bytes(fd, data, 7);
    expect(&f, fd, 'F');
    ask(fd, 'c', 0);
    expect(&f, fd, 'A');
    ck_assert_uint_eq(f.flush_count, 1);
    ck_assert_uint_eq(f.stop_count, 0);
    for (size_t i = 0; i < array_len(bad); i++) {
        ask_challenges(fd, bad[i][0], bad[i][1]);
        expect_end(&f, fd);
        fd = fake_connect(&f);
    }
    fake_close(&f);
}
END_TEST

START_TEST(reload_answers_everybody_who_waits)
{
    struct fake f;
    fake_open(&f);
    int fd[3];
    for (unsigned i = 0; i < 3; i++) {
        fd[i] = fake_connect(&f);
        ask(fd[i], 'Z', 0);
    }
    settle(&f);
    ck_assert_uint_eq(f.waiting_count, 3);
    for (unsigned i = 0; i < 3; i++)
        ctl_request_done(f.waiting[i], i != 1, "", 0);
    unsigned ok = 0, failed = 0;
    for (unsigned i = 0; i < 3; i++) {
        int key = receive(&f, fd[i], NULL).key;
        ok += key == 'A';
        failed += key == 'F';
        close(fd[i]);
    }
    ck_assert_uint_eq(ok, 2);
    ck_assert_uint_eq(failed, 1);
    fake_close(&f);
}
END_TEST

START_TEST(reload_may_be_answered_at_once)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    f.answer_at_once = 1;
    ask(fd, 'Z', 0);
    expect(&f, fd, 'A');
    f.answer_at_once = -1;
    ask(fd, 'Z', 0);
    expect(&f, fd, 'F');
    close(fd);
    fake_close(&f);
}
END_TEST

START_TEST(client_gone_before_reload_ends)
{
    struct fake f;
    fake_open(&f);
    int gone = fake_connect(&f), half = fake_connect(&f);
    ask(gone, 'Z', 0);
    ask(half, 'Z', 0);
    shutdown(half, SHUT_WR); /* says no more, yet waits */
    settle(&f);
    ck_assert_uint_eq(f.waiting_count, 2);
    close(gone);
    settle(&f);
    ctl_request_done(f.waiting[0], true, "", 0);
    ctl_request_done(f.waiting[1], true, "", 0);
    expect(&f, half, 'A');
    expect_end(&f, half);
    fake_close(&f);
}
END_TEST

START_TEST(reload_ends_after_the_server)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    ask(fd, 'Z', 0);
    settle(&f);
    ck_assert_uint_eq(f.waiting_count, 1);
    ctl_server_close(f.server);
    f.server = NULL;
    ctl_request_done(f.waiting[0], true, "", 0);
    expect_end(&f, fd);
    fake_close(&f);
}
END_TEST

START_TEST(stop_holds_the_connection)
{
    struct fake f;
    fake_open(&f);
    int fd[2] = {fake_connect(&f), fake_connect(&f)};
    for (int i = 0; i < 2; i++) {
        ask(fd[i], 'X', 0);
        expect(&f, fd[i], 'A');
        shutdown(fd[i], SHUT_WR);
    }
    settle(&f);
    ck_assert_uint_eq(f.stop_count, 1);
    ck_assert(is_open_and_silent(fd[0]));
    ck_assert(is_open_and_silent(fd[1]));
    ctl_server_close(f.server);
    /* whoever sees the end may start the next daemon */
    ck_assert_int_eq(ctl_server_open(f.loop, f.run_dir, &f.calls, &f.d, &f.server), 0);
    expect_end(&f, fd[0]);
    expect_end(&f, fd[1]);
    fake_close(&f);
}
END_TEST

START_TEST(stop_may_close_at_once)
{
    struct fake f;
    fake_open(&f);
    f.close_on_stop = true;
    int fd = fake_connect(&f);
    ask(fd, 'X', 0);
    expect(&f, fd, 'A');
    expect_end(&f, fd);
    ck_assert_uint_eq(f.stop_count, 1);
    fake_close(&f);
}
END_TEST

/* ---- clients that are slow, many, or wrong ---- */

START_TEST(header_in_pieces)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    const char header[PROTO_HEADER_BYTES] = "S";
    for (size_t i = 0; i < sizeof header; i++) {
        send_bytes(fd, header + i, 1);
        settle(&f);
        if (i + 1 < sizeof header)
            ck_assert(is_open_and_silent(fd));
    }
    expect_text(&f, fd, FAKE_STATS);
    close(fd);
    fake_close(&f);
}
END_TEST

START_TEST(half_a_header_then_the_end)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    send_bytes(fd, "XXXX", 4);
    shutdown(fd, SHUT_WR);
    expect_end(&f, fd);
    ck_assert_uint_eq(f.stop_count, 0);
    fake_close(&f);
}
END_TEST

START_TEST(half_closed_client_is_answered)
{
    struct fake f;
    fake_open(&f);
    int fd = fake_connect(&f);
    ask(fd, 'S', 0);
    shutdown(fd, SHUT_WR);
    expect_text(&f, fd, FAKE_STATS);
    expect_end(&f, fd);
    fake_close(&f);
}
END_TEST

START_TEST(huge_states_byte_by_byte)
{
    struct fake f;
    fake_open(&f);
    f.states_len = (size_t)3 << 20; /* far beyond what the socket holds */
    int slow = fake_connect(&f), quick = fake_connect(&f);
    ask(slow, 'E', 0);
    struct reader r = {.fd = slow, .at_a_time = 1};
    for (r.want = 1; r.want < 1000; r.want++) {
        fake_turn_until(&f, reader_is_done, &r);
        ask(quick, 'S', 0); /* nobody waits for the slow one */
        expect_text(&f, quick, FAKE_STATS);
    }
    r.want = PROTO_HEADER_BYTES + f.states_len;
    fake_turn_until(&f, reader_is_done, &r);
    ck_assert_uint_eq(r.got.len, r.want);
    for (size_t i = 0; i < f.states_len; i++)
        ck_assert_int_eq(r.got.data[PROTO_HEADER_BYTES + i], fake_states_at(i));
    ask(slow, 'S', 0);
    expect_text(&f, slow, FAKE_STATS);
    buf_fini(&r.got);
    close(slow);
    close(quick);
    fake_close(&f);
}
END_TEST

START_TEST(reader_that_leaves_a_huge_reply)
{
    struct fake f;
    fake_open(&f);
    f.states_len = (size_t)3 << 20;
    int fd = fake_connect(&f);
    ask(fd, 'E', 0);
    settle(&f);
    close(fd); /* no SIGPIPE may come of it */
    settle(&f);
    fake_close(&f);
}
END_TEST

START_TEST(idle_and_unreading_clients_are_closed)
{
    struct fake f;
    fake_open(&f);
    f.states_len = (size_t)3 << 20;
    ctl_server_set_timeout(f.server, 1);
    int idle = fake_connect(&f), half = fake_connect(&f);
    send_bytes(half, "S", 1);
    expect_end(&f, idle);
    expect_end(&f, half);
    ctl_server_set_timeout(f.server, 100);
    int unreading = fake_connect(&f);
    ask(unreading, 'E', 0);
    fake_turn_until(&f, is_hung_up, &unreading);
    struct reader r = {.fd = unreading};
    fake_turn_until(&f, reader_is_done, &r); /* what had been sent before */
    ck_assert_uint_lt(r.got.len, f.states_len);
    buf_fini(&r.got);
    close(unreading);
    fake_close(&f);
}
END_TEST

START_TEST(held_client_that_has_gone_is_noticed)
{
    struct fake f;
    fake_open(&f);
    ctl_server_set_timeout(f.server, 1000);
    int fd[CTL_CLIENTS_MAX];
    for (int i = 0; i < CTL_CLIENTS_MAX; i++) {
        fd[i] = fake_connect(&f);
        ask(fd[i], 'X', 0);
        expect(&f, fd[i], 'A');
    }
    for (int i = 0; i < CTL_CLIENTS_MAX; i++)
        close(fd[i]);
    settle(&f); /* all places are taken until they are seen to be gone */
    fake_close(&f);
}
END_TEST

START_TEST(many_clients_take_turns)
{
    enum { N = CTL_CLIENTS_MAX + 60 };
    struct fake f;
    fake_open(&f);
    int fd[N];
    for (int i = 0; i < N; i++) {
        fd[i] = fake_connect(&f);
        ev_run(f.loop, EVRUN_NOWAIT); /* the listener's queue is no longer than the places */
        if (i >= CTL_CLIENTS_MAX - 2)
            ask(fd[i], 'S', 0);
    }
    for (int i = 0; i < CTL_CLIENTS_MAX - 2; i++)
        ask(fd[i], 'S', 0);
    for (int i = 0; i < N; i++) {
        expect_text(&f, fd[i], FAKE_STATS);
        close(fd[i]);
    }
    settle(&f);
    fake_close(&f);
}
END_TEST

START_TEST(places_are_limited)
{
    struct fake f;
    fake_open(&f);
    int fd[CTL_CLIENTS_MAX];
    for (int i = 0; i < CTL_CLIENTS_MAX; i++) {
        fd[i] = fake_connect(&f);
        ask(fd[i], 'S', 0);
        expect_text(&f, fd[i], FAKE_STATS);
    }
    int late = fake_connect(&f);
    ask(late, 'S', 0);
    ask(fd[0], 'S', 0); /* answered, while the late one waits */
    expect_text(&f, fd[0], FAKE_STATS);
    ask(fd[0], 'S', 0);
    expect_text(&f, fd[0], FAKE_STATS);
    ck_assert(is_open_and_silent(late));
    close(fd[7]);
    expect_text(&f, late, FAKE_STATS);
    for (int i = 0; i < CTL_CLIENTS_MAX; i++) {
        if (i != 7)
            close(fd[i]);
    }
    close(late);
    fake_close(&f);
}
END_TEST

static void add_requests(Suite *s)
{
    TCase *t = tcase_create("requests");
    tcase_add_test(t, proto_has_gdnsds_bytes);
    tcase_add_test(t, answers_in_turn_on_one_connection);
    tcase_add_test(t, answers_pipelined_requests_in_order);
    tcase_add_loop_test(t, answers_unknown_keys, 0, (int)array_len(unknown_keys));
    tcase_add_test(t, challenges_and_their_data);
    tcase_add_test(t, reload_takes_names);
    tcase_add_test(t, reload_answers_everybody_who_waits);
    tcase_add_test(t, reload_may_be_answered_at_once);
    tcase_add_test(t, client_gone_before_reload_ends);
    tcase_add_test(t, reload_ends_after_the_server);
    tcase_add_test(t, stop_holds_the_connection);
    tcase_add_test(t, stop_may_close_at_once);
    suite_add_tcase(s, t);
}

static Suite *ctl_suite(void)
{
    Suite *s = suite_create("ctl");
    add_requests(s);
    TCase *t = tcase_create("clients");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, header_in_pieces);
    tcase_add_test(t, half_a_header_then_the_end);
    tcase_add_test(t, half_closed_client_is_answered);
    tcase_add_test(t, huge_states_byte_by_byte);
    tcase_add_test(t, reader_that_leaves_a_huge_reply);
    tcase_add_test(t, idle_and_unreading_clients_are_closed);
    tcase_add_test(t, held_client_that_has_gone_is_noticed);
    tcase_add_test(t, many_clients_take_turns);
    tcase_add_test(t, places_are_limited);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(ctl_suite)

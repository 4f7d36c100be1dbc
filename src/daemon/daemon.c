/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "daemon/cookies.h"
#include "daemon/version.h"

enum { EXIT_HARD = 42, EXIT_USAGE = 2 };

/* ---- checkconf ----------------------------------------------------------------------------- */

static int fatal(struct diag *d, const char *what)
{
    log_diag(d);
    log_fatal("%s", what);
    diag_fini(d);
    return EXIT_HARD;
}

static int check_configuration(const struct cmdline *c, const struct th_plugin *const *builtin)
{
    struct diag d = {0};
    struct setup s;
    struct zone_set *zones = NULL;
    struct cookie_keys *cookies = NULL;
    if (setup_config(c, builtin, &d, &s) != 0)
        return fatal(&d, "the configuration is refused");
    if (cookies_read(&s.options.cookies, &d, &cookies) != 0) {
        setup_fini(&s);
        return fatal(&d, "the configuration is refused");
    }
    cookie_keys_unref(cookies);
    if (forcings_check(&s, &d) != 0) {
        setup_fini(&s);
        return fatal(&d, "admin_state is refused");
    }
    int e = setup_zones(&s, &d, &zones);
    if (e) {
        setup_fini(&s);
        return fatal(&d, "the zones are refused");
    }
    log_diag(&d);
    log_info("configuration in %s is good: zones=%zu records=%zu resources=%zu watched=%zu",
             c->config_dir, zones->count, zones->rr_count, plugs_resource_count(s.plugs),
             plugs_watch_count(s.plugs));
    zone_set_unref(zones);
    setup_fini(&s);
    diag_fini(&d);
    return 0;
}

/* ---- start --------------------------------------------------------------------------------- */

static int make_dir(const char *path, mode_t mode, struct diag *d)
{
    struct stat st;
    if (mkdir(path, mode) == 0 || (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
        return 0;
    return diag_error(d, (struct diag_loc){path, 0, 0}, "cannot make the folder: %s",
                      errno == EEXIST ? "something else has its name" : strerror(errno));
}

static void daemon_stop(struct daemon *m)
{
    ev_break(m->loop, EVBREAK_ALL);
}

static void call_stop(void *arg)
{
    daemon_stop(arg);
}

static void call_reload(void *arg, const struct ctl_reload *what, struct ctl_request *r)
{
    reload_request(arg, RELOAD_ASKED, what, r);
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int events)
{
    struct daemon *m = w->data;
    (void)loop;
    (void)events;
    if (w->signum == SIGHUP) {
        reload_request(m, RELOAD_SIGNAL, &(struct ctl_reload){0}, NULL);
        return;
    }
    log_info("daemon: stopping: signal=%d", w->signum);
    m->end_signal = w->signum;
    daemon_stop(m);
}

static void watch_signals(struct daemon *m)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    _Static_assert(array_len(numbers) == array_len(((struct daemon *)0)->signals), "one each");
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignore, NULL); /* cannot fail for these signals */
    (void)sigaction(SIGUSR1, &ignore, NULL);
    for (size_t i = 0; i < array_len(numbers); i++) {
        ev_signal_init(&m->signals[i], on_signal, numbers[i]);
        m->signals[i].data = m;
        ev_signal_start(m->loop, &m->signals[i]);
    }
}

static void start_failed(struct daemon *m, const char *what)
{
    log_diag(&m->diag);
    log_fatal("%s", what);
    m->failed = true;
    daemon_stop(m);
}

/* A half for probes, but no more than a loop can serve. */
static unsigned probes_at_once(const struct daemon *m)
{
    enum { MOST = 16384 };
    unsigned half = (unsigned)m->files / 2;
    return half < MOST ? half : MOST;
}

/* Descriptors that clients over TCP cannot take: as many as probes run at once, and some for files,
 * the control socket and our own helpers. */
static int files_for_clients(const struct daemon *m)
{
    enum { OWN = 16 };
    size_t watched = plugs_watch_count(m->setup.plugs), most = probes_at_once(m);
    return m->files - (int)(watched < most ? watched : most) - OWN;
}

/* The monitor has a result for everything, or startup_wait is over: answer. */
static void on_ready(void *arg)
{
    struct daemon *m = arg;
    struct options *o = &m->setup.options;
    if (m->closing)
        return;
    publish_zones(m, m->first_zones);
    m->first_zones = NULL;
    for (size_t i = 0; i < o->listen_count; i++)
        o->listen[i].files_max = files_for_clients(m);
    if (net_open(o->listen, o->listen_count, &m->current, &m->diag, &m->net) != 0 ||
        net_start(m->net, &m->diag) != 0) {
        start_failed(m, "cannot listen");
        return;
    }
    log_info("daemon: serving: version=%s pid=%d zones=%zu records=%zu resources=%zu watched=%zu",
             PACKAGE_VERSION, (int)getpid(), m->current->zones->count, m->current->zones->rr_count,
             plugs_resource_count(m->setup.plugs), plugs_watch_count(m->setup.plugs));
    forcings_start(m);
    log_info("DNS listeners started"); /* the line that start scripts wait for */
    watch_start(m);
    reload_start(m);
}

static int open_control(struct daemon *m)
{
    const struct ctl_calls calls = {
        .arg = m,
        .version = m->setup.options.gdnsd ? VERSION_GDNSD : VERSION_NATIVE,
        .stats = view_stats,
        .states = view_states,
        .reload_zones = call_reload,
        .zones = view_zones,
        .why = view_why,
        .add_challenges = challenges_add,
        .flush_challenges = challenges_flush,
        .order = commands_order,
        .orders = commands_list,
        .stop = call_stop,
    };
    return ctl_server_open(m->loop, m->setup.options.run_dir, &calls, &m->diag, &m->ctl);
}

/* Below this many there is nothing left for clients and probes. */
#define FILES_MIN 64

/* Connections and probes need descriptors; take what the system grants without asking. */
static int raise_file_limit(struct daemon *m)
{
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) != 0)
        return 0;
    if (l.rlim_cur < l.rlim_max) {
        l.rlim_cur = l.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &l) != 0)
            log_warning("daemon: cannot raise the limit of open files: %s", strerror(errno));
        (void)getrlimit(RLIMIT_NOFILE, &l); /* worked above */
    }
    m->files = l.rlim_cur == RLIM_INFINITY || l.rlim_cur > INT_MAX ? INT_MAX : (int)l.rlim_cur;
    if (m->files >= FILES_MIN)
        return 0;
    return diag_error(&m->diag, DIAG_NOWHERE,
                      "only %d open files are allowed (ulimit -n); at least "
                      "%d are needed",
                      m->files, FILES_MIN);
}

/* Standard descriptors that the caller closed would be taken by files and sockets of ours, and log
 * lines written into them. */
static void fill_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static int start_threads(struct daemon *m)
{
    const struct monitor_options options = {.main_mbox = &m->mbox,
                                            .on_result = events_result,
                                            .arg = m,
                                            .host = &m->setup.host,
                                            .max_in_flight = probes_at_once(m)};
    rcu_start();
    m->loader = loader_start(&m->mbox);
    m->monitor = monitor_new(&options);
    if (!m->loader || monitor_start(m->monitor) != 0)
        return diag_error(&m->diag, DIAG_NOWHERE, "cannot start a thread");
    return 0;
}

static int daemon_open(struct daemon *m, const struct cmdline *c,
                       const struct th_plugin *const *builtin)
{
    int e = raise_file_limit(m);
    if (!e)
        e = setup_config(c, builtin, &m->diag, &m->setup);
    if (!e && m->setup.options.zones_watch)
        watch_open(m);
    if (!e)
        e = setup_zones(&m->setup, &m->diag, &m->first_zones);
    if (!e)
        e = make_dir(m->setup.options.state_dir, 0755, &m->diag);
    if (!e)
        e = open_control(m);
    if (!e)
        e = publish_open(m); /* behind the control socket, which makes run_dir */
    if (!e)
        e = start_threads(m);
    if (!e)
        e = forcings_open(m); /* in front of the first attach */
    return e;
}

/* Workers first: nobody reads any more; then the monitor, which gives up its slots. */
static void daemon_close(struct daemon *m)
{
    m->closing = true;
    watch_close(m);
    net_close(m->net);
    if (m->monitor) {
        monitor_stop(m->monitor);
        if (monitor_lost_results(m->monitor))
            log_warning("monitor: results that main was too slow for: lost=%" PRIu64,
                        monitor_lost_results(m->monitor));
    }
    loader_stop(m->loader);
    m->loader = NULL;
    mbox_fini(&m->mbox);
    if (m->monitor)
        monitor_free(m->monitor);
    reload_fini(m);
    challenges_close(m);
    forcings_close(m);
    publish_close(m);
    zone_set_unref(m->first_zones);
    setup_fini(&m->setup);
    rcu_settle();
    if (m->ctl)
        ctl_server_close(m->ctl);
    mem_free(m->why);
    diag_fini(&m->diag);
    ev_loop_destroy(m->loop);
}

static void end_by_signal(int number)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    (void)sigaction(number, &usual, NULL); /* a signal we caught before */
    raise(number);
}

static int serve(const struct cmdline *c, const struct th_plugin *const *builtin)
{
    struct daemon m = {.started = mono_now()};
    umask(022);
    m.loop = ev_default_loop(EVFLAG_AUTO);
    mbox_init(&m.mbox, m.loop);
    watch_signals(&m);
    if (daemon_open(&m, c, builtin) != 0) {
        start_failed(&m, "cannot start");
    } else {
        log_diag(&m.diag);
        diag_fini(&m.diag);
        monitor_attach(m.monitor, m.setup.plugs, m.setup.options.startup_wait_ms, on_ready, &m);
        ev_run(m.loop, 0);
    }
    daemon_close(&m);
    if (m.failed)
        return EXIT_HARD;
    log_info("daemon: stopped");
    if (m.end_signal)
        end_by_signal(m.end_signal);
    return 0;
}

int daemon_main(int argc, char **argv, const struct th_plugin *const *builtin)
{
    fill_standard_files();
    mem_return_large();
    struct cmdline c = cmdline_parse(argc, argv);
    log_set_debug(c.debug);
    switch (c.action) {
    case ACTION_CHECKCONF: return check_configuration(&c, builtin);
    case ACTION_START: return serve(&c, builtin);
    case ACTION_HELP: return 0;
    case ACTION_USAGE: break;
    }
    return EXIT_USAGE;
}

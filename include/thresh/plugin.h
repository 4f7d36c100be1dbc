/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thresh/plugin.h: the plugin API.  A plugin is one descriptor.  A *resolver* chooses addresses
 * for DYNA records from the health of what it watches; a *monitor* makes one probe attempt when
 * told to.  Everything else (schedule, deadlines, thresholds, prepared answers, TTLs, logging)
 * is the host's.
 *
 * Life of a resolver plugin
 *
 *   open(conf)            [loader]   read the configuration; for each resource that a record may
 *                                    name: host->resource(&id), then host->watch(id, ...)
 *   resolve(id, ctx)      [monitor]  whenever something watched or referred to has changed; the
 *                                    host prepares the answer from what is pushed. Beside it, and
 *                                    at the same time, [main] with states that might be: a preview
 *   close()               [loader]   nothing refers to the instance any more
 *
 * Life of a monitor plugin
 *
 *   service_open(conf)    [loader]   one service type; `conf` is the filled struct of service_keys
 *   target_open(addr)     [monitor]  one address under that service type
 *   probe_start()         [monitor]  one attempt; ends with exactly one host->probe_done(), unless
 *   probe_cancel()        [monitor]  the host takes it back (deadline, shutdown): close everything
 *   target_close(), service_close()
 *
 * Rules: every callback gets its instance; a plugin has no mutable file-scope variable.  Names
 * and configuration handed to open() live until it returns; keep copies from host->alloc().
 * A call that fails returns a negative number and has said why through host->error().
 * resolve() neither allocates nor blocks nor does I/O.
 *
 * The host's calls come as a table, so a test can drive a plugin without the daemon, and a
 * plugin in a shared object needs no symbol of the daemon.
 */
#ifndef THRESH_PLUGIN_H
#define THRESH_PLUGIN_H

#include <thresh/conf.h>
#include <thresh/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A different major is refused; a plugin built for a lesser minor still loads. */
#define TH_ABI_MAJOR 1
#define TH_ABI_MINOR 1

struct th_diag;   /* collects messages for people */
struct th_env;    /* one plugin instance, as the host sees it */
struct th_ctx;    /* one run of resolve() */
struct th_target; /* one monitored address under one service type */
struct th_io;     /* one descriptor watched by the monitor's loop */

/* Addresses of one family in one answer: 1,000 A records are 16,000 bytes of a message. */
#define TH_ADDRS_MAX 1000u

typedef uint32_t th_slot; /* a monitored item, from host->watch() */
typedef uint32_t th_ref;  /* another plugin's resource, from host->refer() */

/* ---- verdicts of a probe ------------------------------------------------------------------- */

enum th_verdict {
    TH_PROBE_UP = 1,
    TH_PROBE_DOWN,    /* the target failed */
    TH_PROBE_TIMEOUT, /* set by the host at the deadline */
    TH_PROBE_DRAIN,   /* the target asks for no new clients */
    TH_PROBE_NOTRUN,  /* our own trouble: counts for nothing */
};

/* Why. `hard_fail` of a service type names some of them, so give the cause that fits, not the
 * nearest that exists; new ones come last. */
enum th_cause {
    TH_CAUSE_NONE,
    TH_CAUSE_REFUSED,     /* connection refused */
    TH_CAUSE_RESET,       /* reset by the peer */
    TH_CAUSE_UNREACHABLE, /* told so by the network */
    TH_CAUSE_EOF,         /* closed before the answer was complete */
    TH_CAUSE_PROTOCOL,    /* an answer that is none */
    TH_CAUSE_STATUS,      /* an answer that says no */
    TH_CAUSE_TIMEOUT,
    TH_CAUSE_LOCAL, /* our own trouble */
    TH_CAUSE_TLS,   /* no handshake, or a certificate that is not good */
};

#define TH_IO_READ  1u
#define TH_IO_WRITE 2u

/* ---- what the host offers ------------------------------------------------------------------ */

enum th_conf_kind { TH_CONF_TEXT, TH_CONF_ARRAY, TH_CONF_HASH };

struct th_host {
    uint32_t abi_major, abi_minor;
    uint32_t size; /* of this table: calls beyond it do not exist */

    /* configuration [loader] */
    enum th_conf_kind (*conf_kind)(const struct th_conf *c);
    /* Items of an array, pairs of a hash; a text counts as 1 and is its own item 0. */
    size_t (*conf_count)(const struct th_conf *c);
    const struct th_conf *(*conf_at)(const struct th_conf *c, size_t i);
    const char *(*conf_key_at)(const struct th_conf *hash, size_t i);
    const struct th_conf *(*conf_find)(const struct th_conf *hash, const char *key); /* or NULL */
    const char *(*conf_text)(const struct th_conf *c); /* NULL unless a text */
    /* Set defaults of `keys` in *out. */
    void (*conf_defaults)(const struct th_key *keys, void *out);
    /* Fill *out from the pairs of `hash` whose key is in `keys`; absent keys leave their field, so
     * a copy of the parent's struct inherits. Other keys are an error, unless `rest` is given:
     * then they are left to the caller (conf_is_key tells). `what` names the hash in messages.
     * 0 or negative. */
    int (*conf_read)(const struct th_key *keys, const struct th_conf *hash, const char *what,
                     int rest, void *out, struct th_diag *d);
    int (*conf_is_key)(const struct th_key *keys, const char *name);
    /* Nearest name in `keys` to a misspelt one, or NULL. */
    const char *(*conf_near)(const struct th_key *keys, const char *name);
    /* An address, read as the configuration's mode says. Says nothing on failure. */
    int (*conf_addr)(const struct th_conf *c, struct th_addr *out);
    /* Both put "file:line:col: " of `at` (may be NULL) before the text; error returns negative. */
    int (*error)(struct th_diag *d, const struct th_conf *at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
    void (*warn)(struct th_diag *d, const struct th_conf *at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

    /* memory that lives as long as the instance; zeroed, never NULL [loader] */
    void *(*alloc)(struct th_env *env, size_t size);

    /* resources and what they depend on [loader, inside open] */
    /* Announce a resource. *id is what resolve() will get: 0, 1, 2, ... in the order of calls.
     * Negative if the name is taken. */
    int (*resource)(struct th_env *env, const char *name, const struct th_conf *at,
                    struct th_diag *d, uint32_t *id);
    /* Resource `id` depends on `addr` under service type `service`; gives the slot to ask for. */
    int (*watch)(struct th_env *env, uint32_t id, const char *service, const struct th_addr *addr,
                 const struct th_conf *at, struct th_diag *d, th_slot *out);
    /* Resource `id` may answer through "plugin!resource". Resolved once all plugins are open. */
    int (*refer)(struct th_env *env, uint32_t id, const char *target, const struct th_conf *at,
                 struct th_diag *d, th_ref *out);

    /* inside resolve() [monitor] */
    struct th_word (*slot)(struct th_ctx *ctx, th_slot s);
    /* The word of another resource, and its addresses, come from one and the same answer. */
    struct th_word (*try_ref)(struct th_ctx *ctx, th_ref r);
    /* Its addresses join the result. */
    void (*keep_ref)(struct th_ctx *ctx, th_ref r);
    /* At most TH_ADDRS_MAX of each family; more are dropped. */
    void (*push)(struct th_ctx *ctx, const struct th_addr *addr);

    /* probing [monitor] */
    struct th_io *(*io_open)(struct th_target *t, void (*ready)(void *arg, unsigned events),
                             void *arg);
    /* Watch fd for `events`; 0 stops watching. The caller owns and closes the descriptor. */
    void (*io_watch)(struct th_io *io, int fd, unsigned events);
    void (*io_close)(struct th_io *io);
    /* A non-blocking, close-on-exec socket towards `to`, or negative with errno: NOTRUN. */
    int (*io_socket)(struct th_target *t, const struct th_addr *to, int type);
    /* The attempt's connection stands: from here on `timeout` alone limits it, not connect_timeout.
     * Of monitors with TH_MONITOR_CONNECTS. */
    void (*probe_connected)(struct th_target *t);
    /* Ends the attempt. `text` is for people, copied, may be "". The attempt is over when this
     * returns: close its descriptors before. */
    void (*probe_done)(struct th_target *t, enum th_verdict v, enum th_cause cause,
                       const char *text);

    /* 1 under `compat => gdnsd3`: gdnsd's limits, and its exact bytes towards a target. */
    int gdnsd;

    /* from minor 1 on, inside resolve() [monitor] */
    /* Since when the slot's word has had TH_DRAIN: monotonic milliseconds, to compare with those of
     * other slots. What one command or one file drained has one and the same time. 0 for a slot
     * that is not drained. */
    int64_t (*drained_since)(struct th_ctx *ctx, th_slot s);
};

/* ---- the descriptor ------------------------------------------------------------------------ */

struct th_resolver {
    /* `conf` is the plugin's hash, or NULL where the plugin is used without one. */
    int (*open)(const struct th_host *host, struct th_env *env, const struct th_conf *conf,
                struct th_diag *d, void **instance);
    struct th_word (*resolve)(const void *instance, uint32_t id, struct th_ctx *ctx);
    void (*close)(void *instance); /* may be NULL: host->alloc memory is freed by the host */
};

#define TH_MONITOR_CONNECTS 1u /* tells probe_connected, so connect_timeout may be configured */

struct th_monitor {
    const struct th_key *service_keys; /* beside the common keys of every service type */
    size_t service_size;               /* bytes of the struct they fill */
    /* `conf` is filled from service_keys; its texts live as long as the service. */
    int (*service_open)(const struct th_host *host, struct th_env *env, const char *name,
                        const void *conf, const struct th_conf *at, struct th_diag *d,
                        void **service);
    void (*service_close)(void *service); /* may be NULL */
    int (*target_open)(const struct th_host *host, void *service, struct th_target *t,
                       const struct th_addr *addr, void **target);
    void (*target_close)(void *target);
    void (*probe_start)(void *target);
    void (*probe_cancel)(void *target);
    unsigned flags; /* TH_MONITOR_ */
};

struct th_plugin {
    uint32_t abi_major, abi_minor;
    uint32_t size; /* sizeof(struct th_plugin) at its build */
    const char *name;
    const char *version;
    const struct th_resolver *resolver; /* NULL if it is none */
    const struct th_monitor *monitor;   /* NULL if it is none */
};

#define TH_PLUGIN_HEAD TH_ABI_MAJOR, TH_ABI_MINOR, sizeof(struct th_plugin)

/* Defines the one symbol of a plugin: th_plugin_NAME built in, th_plugin in a shared object. */
#ifdef TH_PLUGIN_SHARED
#define TH_PLUGIN(name) const struct th_plugin th_plugin
#else
#define TH_PLUGIN(name) const struct th_plugin th_plugin_##name
#endif

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ctl_options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "conf/vscf.h"

/* gdnsd's: below 5 s a reload of many zones is given up too early; 47 s is longer than the 37 s
 * that either side waits for the other. */
#define TIMEOUT_MIN_S     5
#define TIMEOUT_MAX_S     300
#define TIMEOUT_DEFAULT_S 47

static const struct action_row {
    const char *word, *help;
} actions[] = {
#define ACTION_ROW(name, word, help) [ACTION_##name] = {word, help},
    ACTIONS(ACTION_ROW)
#undef ACTION_ROW
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *default_config_dir(bool gdnsd)
{
    return gdnsd ? TH_SYSCONFDIR "/gdnsd" : TH_SYSCONFDIR "/thresh";
}

void ctl_options_print_help(const struct ctl_options *o, bool to_stdout)
{
    FILE *to = to_stdout ? stdout : stderr;
    const char *name = o->gdnsd ? "gdnsdctl" : "threshctl";
    fprintf(to,
            "Usage: %s [-c DIR] [-t SEC] [-D] ACTION\n\n"
            "  -c DIR  configuration directory, read for options.run_dir (default %s)\n"
            "  -t SEC  give up after this many seconds, %d to %d (default %d)\n"
            "  -D      say more on stderr\n"
            "  -h      this help\n\nActions, in any letter case:\n",
            name, default_config_dir(o->gdnsd), TIMEOUT_MIN_S, TIMEOUT_MAX_S, TIMEOUT_DEFAULT_S);
    for (size_t i = 0; i < array_len(actions); i++)
        fprintf(to, "  %-17s %s\n", actions[i].word, actions[i].help);
    fprintf(
        to,
        "\nreload-zones [--force] [ZONE...] reads only the zones that are named; --force also\n"
        "drops or shrinks zones as their files say.\n"
        "force, drain, maint and clear take [--ttl TTL] [--for TIME] [--reason TEXT] [--force]\n"
        "[--dry-run]; GLOB is a pattern over the names that states shows. They hold for a day\n"
        "unless --for says otherwise.\n"
        "\nExamples:\n"
        "  %s status\n"
        "  %s stats | jq .stats.noerror\n"
        "  %s -t 120 reload-zones || echo \"zones are as they were\"\n"
        "  %s reload-zones example.org 2.0.192.in-addr.arpa\n"
        "  %s drain '192.0.2.1/*' --for 2h --reason \"new kernel\"\n"
        "  %s acme-dns-01 www.example.org 0123456789abcdefghijABCDEFGHIJ-_0123456789abc\n\n"
        "Exit: 0 done, 1 no daemon or no answer in time, 2 wrong usage, 42 failed.\n",
        name, name, name, name, name, name);
}

static int parse_timeout(const char *text, struct ctl_options *o, struct diag *d)
{
    uint32_t s = 0;
    if (schema_parse_uint(text, o->gdnsd, &s) || s < TIMEOUT_MIN_S || s > TIMEOUT_MAX_S) {
        diag_error(d, DIAG_NOWHERE, "-t: read \"%s\", allowed: %d to %d seconds", text,
                   TIMEOUT_MIN_S, TIMEOUT_MAX_S);
        return ERR_SYNTAX;
    }
    o->timeout_s = s;
    return 0;
}

static int unknown_action(const char *word, struct diag *d)
{
    const char *words[array_len(actions)];
    for (size_t i = 0; i < array_len(actions); i++)
        words[i] = actions[i].word;
    const char *near = schema_near_word(words, array_len(words), word);
    if (near)
        diag_error(d, DIAG_NOWHERE, "unknown action \"%s\"; did you mean \"%s\"?", word, near);
    else
        diag_error(d, DIAG_NOWHERE, "unknown action \"%s\"", word);
    return ERR_SYNTAX;
}

static int parse_challenges(int count, char **words, struct ctl_options *o, struct diag *d)
{
    o->challenges = words;
    o->challenge_count = (size_t)count / 2;
    if (count > 0 && count % 2 == 0)
        return 0;
    diag_error(d, DIAG_NOWHERE, "acme-dns-01 NAME PAYLOAD [NAME PAYLOAD ...]");
    return ERR_SYNTAX;
}

static int parse_zones(int count, char **words, struct ctl_options *o, struct diag *d)
{
    if (count == 0)
        return 0;
    o->force = strcmp(words[0], "--force") == 0;
    o->zones = words + o->force;
    o->zone_count = (size_t)count - o->force;
    for (size_t i = 0; i < o->zone_count; i++) {
        if (o->zones[i][0] == '-' || !o->zones[i][0]) {
            diag_error(d, DIAG_NOWHERE, "\"%s\": reload-zones [--force] [ZONE...]", o->zones[i]);
            return ERR_SYNTAX;
        }
    }
    return 0;
}

static int parse_order_seconds(const char *option, const char *text, uint32_t *out, struct diag *d)
{
    if (schema_parse_ttl_s(text, false, out) == 0 && *out != UINT32_MAX)
        return 0;
    diag_error(d, DIAG_NOWHERE, "%s: read \"%s\", allowed: seconds, or as 90m, 2h or 1d12h", option,
               text);
    return ERR_SYNTAX;
}

static int parse_order_option(int c, const char *action, char *const *argv, struct ctl_options *o,
                              struct diag *d)
{
    switch (c) {
    case 't': return parse_order_seconds("--ttl", optarg, &o->ttl_s, d);
    case 'l': return parse_order_seconds("--for", optarg, &o->life_s, d);
    case 'r': o->reason = optarg; return 0;
    case 'f': o->force = true; return 0;
    case 'n': o->dry_run = true; return 0;
    case ':':
        diag_error(d, DIAG_NOWHERE, "%s: its value is missing", argv[optind - 1]);
        return ERR_SYNTAX;
    }
    diag_error(d, DIAG_NOWHERE, "unknown option \"%s\" of %s", argv[optind - 1], action);
    return ERR_SYNTAX;
}

static int parse_order_words(int count, char **words, struct ctl_options *o, struct diag *d)
{
    if (o->action == ACTION_FORCE && count > 0) {
        o->state = strcasecmp(words[0], "UP") == 0 ? "UP" : "DOWN";
        if (strcasecmp(words[0], o->state) != 0) {
            diag_error(d, DIAG_NOWHERE, "read \"%s\", allowed: force UP GLOB, force DOWN GLOB",
                       words[0]);
            return ERR_SYNTAX;
        }
        words++;
        count--;
    }
    if (count != 1 || !words[0][0]) {
        diag_error(d, DIAG_NOWHERE, "%s%s GLOB: one pattern is needed (quote it for the shell)",
                   actions[o->action].word, o->action == ACTION_FORCE ? " UP|DOWN" : "");
        return ERR_SYNTAX;
    }
    o->glob = words[0];
    return 0;
}

/* Options may stand before and behind the words. argv[0] is the action. */
static int parse_order(int argc, char **argv, struct ctl_options *o, struct diag *d)
{
    static const struct option ways[] = {
        {"ttl", required_argument, NULL, 't'},    {"for", required_argument, NULL, 'l'},
        {"reason", required_argument, NULL, 'r'}, {"force", no_argument, NULL, 'f'},
        {"dry-run", no_argument, NULL, 'n'},      {0}};
    static const char *const states[] = {
        [ACTION_DRAIN] = "DRAIN", [ACTION_MAINT] = "MAINT", [ACTION_CLEAR] = "CLEAR"};
    int c;
    o->state = o->action == ACTION_FORCE ? "" : states[o->action];
    o->reason = "";
    o->ttl_s = o->life_s = UINT32_MAX;
    optind = 0; /* glibc: begin anew, and move the words behind the options */
    while ((c = getopt_long(argc, argv, ":", ways, NULL)) != -1) {
        int e = parse_order_option(c, argv[0], argv, o, d);
        if (e)
            return e;
    }
    return parse_order_words(argc - optind, argv + optind, o, d);
}

static bool is_order(enum action a)
{
    return a == ACTION_FORCE || a == ACTION_DRAIN || a == ACTION_MAINT || a == ACTION_CLEAR;
}

/* What stands behind the action. */
static int parse_words(int count, char **words, struct ctl_options *o, struct diag *d)
{
    if (o->action == ACTION_RELOAD_ZONES)
        return parse_zones(count, words, o, d);
    if (o->action == ACTION_ACME)
        return parse_challenges(count, words, o, d);
    if (is_order(o->action))
        return parse_order(count + 1, words - 1, o, d);
    if (count == 0)
        return 0;
    diag_error(d, DIAG_NOWHERE, "\"%s\": nothing may stand after this action", words[0]);
    return ERR_SYNTAX;
}

static int parse_action(int count, char **words, struct ctl_options *o, struct diag *d)
{
    if (count == 0) {
        diag_error(d, DIAG_NOWHERE, "no action is named");
        return ERR_SYNTAX;
    }
    for (size_t i = 0; i < array_len(actions); i++) {
        if (strcasecmp(words[0], actions[i].word) == 0) {
            o->action = (enum action)i;
            return parse_words(count - 1, words + 1, o, d);
        }
    }
    return unknown_action(words[0], d);
}

/* One option; ERR_SYNTAX if it is none. */
static int parse_option(int c, char **argv, struct ctl_options *o, struct diag *d)
{
    switch (c) {
    case 'c':
        o->config_dir = optarg;
        o->config_dir_is_given = true;
        return 0;
    case 't': return parse_timeout(optarg, o, d);
    case 'D': o->debug = true; return 0;
    case 'h': o->help = true; return 0;
    case ':': diag_error(d, DIAG_NOWHERE, "-%c: its value is missing", optopt); return ERR_SYNTAX;
    }
    diag_error(d, DIAG_NOWHERE, "unknown option \"%s\"", argv[optind - 1]);
    return ERR_SYNTAX;
}

int ctl_options_parse(int argc, char **argv, struct diag *d, struct ctl_options *out)
{
    static const struct option long_options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    bool gdnsd = argc > 0 && strcmp(base_name(argv[0]), "gdnsdctl") == 0;
    *out = (struct ctl_options){
        .gdnsd = gdnsd, .config_dir = default_config_dir(gdnsd), .timeout_s = TIMEOUT_DEFAULT_S};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "+:c:t:Dh", long_options, NULL)) != -1) {
        int e = parse_option(c, argv, out, d);
        if (e)
            return e;
    }
    return out->help ? 0 : parse_action(argc - optind, argv + optind, out, d);
}

/* ---- run_dir ---- */

struct run_keys {
    const char *run_dir;
    int compat; /* index into its choices */
};

static const struct th_key run_keys[] = {
    {.name = "run_dir",
     .type = TH_STRING,
     .offset = offsetof(struct run_keys, run_dir),
     .min = 1,
     .max = 4096},
    {.name = "compat",
     .type = TH_ENUM,
     .offset = offsetof(struct run_keys, compat),
     .choices = "none|gdnsd3"},
    {0},
};

static int read_keys(const struct vtree *tree, struct run_keys *keys, struct diag *d)
{
    const struct th_conf *root = vtree_root(tree), *options = vnode_find(root, "options");
    if (vnode_kind(root) != VNODE_HASH)
        return diag_error(d, vnode_loc(root), "the configuration must be { ... }");
    if (!options)
        return 0;
    if (vnode_kind(options) != VNODE_HASH)
        return diag_error(d, vnode_loc(options), "options must be { ... }");
    return schema_read(run_keys, options, "options", SCHEMA_LEAVE_REST, keys, d);
}

static char *choose_run_dir(const struct run_keys *keys, bool gdnsd)
{
    if (keys->run_dir)
        return mem_strdup(keys->run_dir);
    return mem_strdup(gdnsd || keys->compat ? TH_RUNSTATEDIR "/gdnsd" : TH_RUNSTATEDIR "/thresh");
}

int ctl_options_run_dir(const struct ctl_options *o, struct diag *d, char **run_dir)
{
    struct run_keys keys = {0};
    struct vtree *tree = NULL;
    char *path = mem_printf("%s/config", o->config_dir);
    int e = vscf_parse_file(path, d, &tree);
    if (!e)
        e = read_keys(tree, &keys, d);
    if (e == ERR_NOTFOUND) {
        e = 0;
        if (o->config_dir_is_given)
            diag_warn(d, DIAG_NOWHERE, "%s does not exist: the default run_dir is used", path);
    }
    if (!e)
        *run_dir = choose_run_dir(&keys, o->gdnsd);
    if (tree)
        vtree_free(tree);
    mem_free(path);
    return e;
}

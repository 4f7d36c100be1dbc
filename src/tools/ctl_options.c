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
    fprintf(to,
            "\nreload-zones [--force] [ZONE...] reads only the zones that are named; --force also\n"
            "drops or shrinks zones as their files say.\n"
            "\nExamples:\n"
            "  %s status\n"
            "  %s stats | jq .stats.noerror\n"
            "  %s -t 120 reload-zones || echo \"zones are as they were\"\n"
            "  %s reload-zones example.org 2.0.192.in-addr.arpa\n"
            "  %s acme-dns-01 www.example.org 0123456789abcdefghijABCDEFGHIJ-_0123456789abc\n\n"
            "Exit: 0 done, 1 no daemon or no answer in time, 2 wrong usage, 42 failed.\n",
            name, name, name, name, name);
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

/* What stands behind the action. */
static int parse_words(int count, char **words, struct ctl_options *o, struct diag *d)
{
    if (o->action == ACTION_RELOAD_ZONES)
        return parse_zones(count, words, o, d);
    if (o->action == ACTION_ACME)
        return parse_challenges(count, words, o, d);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/cmdline.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char help[] =
    "threshd: authoritative DNS server that answers with the members that work\n"
    "\n"
    "usage: threshd [-c DIR] [-D] [-S] checkconf|start\n"
    "\n"
    "  -c DIR      folder with `config` and `zones/` (default " TH_SYSCONFDIR "/thresh, or\n"
    "              " TH_SYSCONFDIR "/gdnsd when started under the name gdnsd)\n"
    "  -D          show debug messages\n"
    "  -S          warnings about zone data are errors\n"
    "  -h          this text\n"
    "\n"
    "  checkconf   check everything a start would; exit 0, or 42 with the reasons\n"
    "  start       serve in the foreground until SIGTERM, SIGINT or `threshctl stop`\n"
    "\n"
    "  threshd -c ./zones/demo checkconf\n"
    "  threshd -c /etc/thresh start\n";

static bool is_gdnsd_name(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    return strcmp(slash ? slash + 1 : argv0, "gdnsd") == 0;
}

static struct cmdline usage(struct cmdline c, const char *why, const char *text)
{
    fprintf(stderr, "error: %s%s\n%s", why, text, help);
    c.action = ACTION_USAGE;
    return c;
}

static struct cmdline read_action(struct cmdline c, int left, char **argv)
{
    if (left != 1)
        return usage(c, left ? "one action is expected, not more" : "an action is missing", "");
    if (strcasecmp(argv[0], "checkconf") == 0)
        c.action = ACTION_CHECKCONF;
    else if (strcasecmp(argv[0], "start") == 0)
        c.action = ACTION_START;
    else
        return usage(c, "no such action: ", argv[0]);
    return c;
}

struct cmdline cmdline_parse(int argc, char **argv)
{
    struct cmdline c = {.gdnsd = is_gdnsd_name(argv[0])};
    c.config_dir = c.gdnsd ? TH_SYSCONFDIR "/gdnsd" : TH_SYSCONFDIR "/thresh";
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "+c:DSh")) != -1) {
        char wrong[2] = {(char)optopt, 0};
        switch (option) {
        case 'c': c.config_dir = optarg; break;
        case 'D': c.debug = true; break;
        case 'S': c.strict = true; break;
        case 'h':
            fputs(help, c.gdnsd ? stderr : stdout);
            c.action = c.gdnsd ? ACTION_USAGE : ACTION_HELP;
            return c;
        default: return usage(c, "unknown option or missing argument: -", wrong);
        }
    }
    return read_action(c, argc - optind, argv + optind);
}

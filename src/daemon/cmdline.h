/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmdline.h: threshd [-c DIR] [-D] [-S] checkconf|start
 *
 * Options stand before the action; actions in any letter case. Started as `gdnsd` (a link), the
 * configuration folder and the mode are gdnsd's.  Thread rule: [main].
 */
#ifndef DAEMON_CMDLINE_H
#define DAEMON_CMDLINE_H

#include <stdbool.h>

enum action { ACTION_CHECKCONF, ACTION_START, ACTION_HELP, ACTION_USAGE };

struct cmdline {
    enum action action;
    const char *config_dir;
    bool debug, strict;
    bool gdnsd; /* started under its name */
};

/* ACTION_USAGE: the fault and the usage were written to stderr; exit 2. */
struct cmdline cmdline_parse(int argc, char **argv);

#endif

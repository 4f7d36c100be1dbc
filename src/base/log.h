/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log.h: one line per event, "subject: event: key=value ...", to stderr.
 *
 *   info: monitor: 192.0.2.1/web: UP -> DOWN: failed=3 of=3 reason="connection refused" ms=0.2
 *
 * The prefixes are "debug: ", "info: ", "warning: ", "error: " and "fatal: "; operators' scripts
 * grep for them.  Control bytes inside a line are written as \xNN, so that no input can forge a
 * line.  A line is one write(), cut at PIPE_BUF bytes, and never waits: lines that a stopped reader
 * does not take are lost, and counted in the next one that goes out.
 *
 * Thread rule: log_line [any]; log_set_debug [main], before threads start.  This file holds the
 * only mutable file-scope state outside daemon/.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include "base/attrs.h"

enum log_level {
    LOG_LEVEL_DEBUG,
    LOG_LEVEL_INFO,
    LOG_LEVEL_WARNING,
    LOG_LEVEL_ERROR,
    LOG_LEVEL_FATAL
};

void log_line(enum log_level level, const char *fmt, ...) printf_like(2, 3);
/* Show debug lines (-D). */
void log_set_debug(bool on);
bool log_debug_on(void);

#define log_debug(...)                                                                             \
    do {                                                                                           \
        if (log_debug_on())                                                                        \
            log_line(LOG_LEVEL_DEBUG, __VA_ARGS__);                                                \
    } while (0)
#define log_info(...)    log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warning(...) log_line(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_error(...)   log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_fatal(...)   log_line(LOG_LEVEL_FATAL, __VA_ARGS__)

struct diag;
/* Write every entry of d as a warning or an error line. */
void log_diag(const struct diag *d);

#endif

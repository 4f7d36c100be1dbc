/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threshctl: ask a running daemon, or tell it what to do; see threshctl(8). */
#include <signal.h>
#include <stdio.h>

#include "base/log.h"
#include "base/mem.h"
#include "tools/ctl_actions.h"
#include "tools/ctl_options.h"

static enum ctl_exit run(const struct ctl_options *o)
{
    struct mono deadline = mono_add_ms(mono_now(), (int64_t)o->timeout_s * 1000);
    struct diag d = {0};
    char *run_dir = NULL;
    int e = ctl_options_run_dir(o, &d, &run_dir);
    log_diag(&d);
    diag_fini(&d);
    if (e)
        return CTL_EXIT_FAILED;
    enum ctl_exit result = ctl_action_run(o, run_dir, deadline);
    mem_free(run_dir);
    return result;
}

static enum ctl_exit help(const struct ctl_options *o)
{
    ctl_options_print_help(o, !o->gdnsd);
    if (o->gdnsd)
        return CTL_EXIT_USAGE; /* as gdnsd's tool */
    return fflush(stdout) ? CTL_EXIT_FAILED : CTL_EXIT_OK;
}

static enum ctl_exit explain(const struct ctl_options *o, struct diag *d)
{
    log_diag(d);
    diag_fini(d);
    ctl_options_print_help(o, false);
    return CTL_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct ctl_options o;
    struct diag d = {0};
    enum ctl_exit result;
    (void)signal(SIGPIPE, SIG_IGN); /* writing to a closed stdout is an error that is reported */
    if (ctl_options_parse(argc, argv, &d, &o)) {
        result = explain(&o, &d);
    } else {
        log_set_debug(o.debug);
        result = o.help ? help(&o) : run(&o);
    }
    return (int)result;
}

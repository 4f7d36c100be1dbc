/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threshd_test.c: threshd with one resolver more, which shows the word that is passed upward. */
#include "daemon/builtin.h"
#include "daemon/daemon.h"
#include "lib/upward.h"

extern const struct th_plugin th_plugin_multifo, th_plugin_tcp_connect, th_plugin_http_status;

const struct th_plugin *const builtin_plugins[] = {&th_plugin_multifo, &th_plugin_tcp_connect,
                                                   &th_plugin_http_status, &th_plugin_upward, NULL};

int main(int argc, char **argv)
{
    return daemon_main(argc, argv, builtin_plugins);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/builtin.h"
#include "daemon/daemon.h"

int main(int argc, char **argv)
{
    return daemon_main(argc, argv, builtin_plugins);
}

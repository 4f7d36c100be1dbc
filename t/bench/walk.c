/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk DIR [ROUNDS]: the limit of a reload of a directory: its names read, each file asked for its
 * state, and nothing done with it. Prints the milliseconds of each round, one per line. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"

static long walk(const char *path)
{
    struct statx st;
    long count = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return -1;
    for (struct dirent *e; (e = readdir(dir));)
        count += statx(dirfd(dir), e->d_name, 0,
                       STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME, &st) == 0;
    closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int n = argc > 2 ? atoi(argv[2]) : 1; n > 0; n--) {
        struct mono begin = mono_now();
        if (walk(argv[1]) < 0)
            return 1;
        printf("%.3f\n", (double)(mono_now().ns - begin.ns) / 1e6);
    }
    return 0;
}

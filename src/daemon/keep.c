/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

static bool write_whole(int fd, const char *bytes, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, bytes + done, len - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

/* Beside it first, then renamed. */
int keep_file(const char *path, const void *bytes, size_t len, mode_t mode)
{
    char *made = mem_printf("%s.new", path);
    int fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    bool ok = fd >= 0 && write_whole(fd, bytes, len);
    int saved = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        saved = errno;
    }
    if (ok && rename(made, path) != 0) {
        ok = false;
        saved = errno;
    }
    if (!ok && fd >= 0)
        (void)unlink(made); /* left over, and harmless */
    mem_free(made);
    errno = saved;
    return ok ? 0 : ERR_IO;
}

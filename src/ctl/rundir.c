/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ctl/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/* As gdnsd's; a burst of scripts waits here while all client places are taken. */
#define RUNDIR_BACKLOG 100

static int check_dir(const char *run_dir, struct diag *d)
{
    struct stat st;
    if (stat(run_dir, &st))
        return diag_error(d, DIAG_NOWHERE, "run_dir %s: %s", run_dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return diag_error(d, DIAG_NOWHERE, "run_dir %s: is not a directory", run_dir);
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return diag_error(d, DIAG_NOWHERE,
                          "run_dir %s: belongs to user %u, who could take over the control socket; "
                          "chown it to user %u",
                          run_dir, (unsigned)st.st_uid, (unsigned)geteuid());
    if (st.st_mode & S_IWOTH)
        return diag_error(d, DIAG_NOWHERE,
                          "run_dir %s: everybody may write there; name a directory of its own, or "
                          "chmod 700 it",
                          run_dir);
    if (st.st_mode & S_IWGRP)
        diag_warn(d, DIAG_NOWHERE, "run_dir %s: its group may write there; chmod 700 it", run_dir);
    return 0;
}

int rundir_make(const char *run_dir, struct diag *d)
{
    if (mkdir(run_dir, 0700) == 0 || errno == EEXIST)
        return check_dir(run_dir, d);
    if (errno == ENOENT)
        return diag_error(d, DIAG_NOWHERE,
                          "run_dir %s: the directory above it does not exist; make it first",
                          run_dir);
    return diag_error(d, DIAG_NOWHERE, "run_dir %s: cannot make it: %s", run_dir, strerror(errno));
}

static int refuse(struct diag *d, const char *what, const char *path)
{
    return diag_error(d, DIAG_NOWHERE, "%s %s: %s", what, path, strerror(errno));
}

static int lock_path(const char *path, struct diag *d, int *fd)
{
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0)
        return refuse(d, "cannot open", path);
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0 && fchmod(*fd, 0600) == 0)
        return 0;
    int e = errno;
    (void)close(*fd); /* nothing was written */
    *fd = -1;
    errno = e;
    if (e != EWOULDBLOCK)
        return refuse(d, "cannot lock", path);
    (void)diag_error(d, DIAG_NOWHERE, "%s: another daemon holds this lock and runs", path);
    return ERR_EXISTS;
}

int rundir_lock(const char *run_dir, struct diag *d, int *fd)
{
    char *path = mem_printf("%s/control.lock", run_dir);
    int e = lock_path(path, d, fd);
    mem_free(path);
    return e;
}

/* A socket file that a daemon left behind; anything else there is somebody's and stays. */
static int remove_stale(const char *path, struct diag *d)
{
    struct stat st;
    if (lstat(path, &st))
        return errno == ENOENT ? 0 : refuse(d, "cannot look at", path);
    if (!S_ISSOCK(st.st_mode))
        return diag_error(d, DIAG_NOWHERE, "%s: is not a socket; remove it", path);
    return unlink(path) ? refuse(d, "cannot remove", path) : 0;
}

static int listen_path(const char *path, struct diag *d, int *fd)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a.sun_path)
        return diag_error(d, DIAG_NOWHERE,
                          "%s: a socket's path has at most %zu bytes; choose a shorter run_dir",
                          path, sizeof a.sun_path - 1);
    memcpy(a.sun_path, path, strlen(path) + 1);
    int e = remove_stale(path, d);
    if (e)
        return e;
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    /* the mode goes over to the file at bind: no moment in which others could connect */
    if (*fd >= 0 && fchmod(*fd, 0600) == 0 &&
        bind(*fd, (const struct sockaddr *)&a, sizeof a) == 0 && listen(*fd, RUNDIR_BACKLOG) == 0)
        return 0;
    e = refuse(d, "cannot listen on", path);
    if (*fd >= 0)
        (void)close(*fd); /* nobody connected */
    *fd = -1;
    return e;
}

int rundir_listen(const char *run_dir, struct diag *d, int *fd)
{
    char *path = mem_printf("%s/control.sock", run_dir);
    int e = listen_path(path, d, fd);
    mem_free(path);
    return e;
}

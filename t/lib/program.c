/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/program.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Between two looks. */
#define STEP_MS 2

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(126);
}

void program_start(struct program *p, const char *dir, const char *const *argv)
{
    char number[] = "XXXXXX";
    pid_t parent = getpid();
    *p = (struct program){0};
    (void)snprintf(p->out_path, SCRATCH_PATH, "%s/out-%s", dir, number); /* mkstemp says */
    int fd = mkstemp(p->out_path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_lt(snprintf(p->err_path, SCRATCH_PATH, "%s.err", p->out_path), SCRATCH_PATH);
    p->pid = fork();
    ck_assert_int_ge(p->pid, 0);
    if (p->pid > 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before we asked */
        _exit(126);
    redirect(p->out_path, STDOUT_FILENO);
    redirect(p->err_path, STDERR_FILENO);
    execv(argv[0], (char *const *)(size_t)argv); /* does not change them */
    _exit(127);
}

bool program_has_ended(struct program *p)
{
    int status;
    if (!p->ended && waitpid(p->pid, &status, WNOHANG) == p->pid) {
        p->ended = true;
        p->end = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    return p->ended;
}

int program_wait(struct program *p)
{
    int left_ms = PATIENCE_MS;
    while (!program_has_ended(p))
        patience(&left_ms, "a program's end");
    return p->end;
}

char *program_out(const struct program *p)
{
    return scratch_read(p->out_path);
}

char *program_err(const struct program *p)
{
    return scratch_read(p->err_path);
}

int program_run(struct program *p, const char *dir, const char *const *argv)
{
    program_start(p, dir, argv);
    return program_wait(p);
}

void patience(int *left_ms, const char *what)
{
    ck_assert_msg(*left_ms > 0, "waited too long for %s", what);
    poll(NULL, 0, STEP_MS);
    *left_ms -= STEP_MS;
}

unsigned program_descriptors(const struct program *p)
{
    char path[64];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)p->pid); /* fits */
    DIR *dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
        count += e->d_name[0] != '.';
    closedir(dir);
    return count;
}

size_t program_memory(const struct program *p)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid); /* fits */
    char *status = scratch_read(path);
    const char *at = strstr(status, "VmRSS:");
    ck_assert_msg(at != NULL, "no VmRSS in %s", path);
    size_t bytes = strtoul(at + strlen("VmRSS:"), NULL, 10) * 1024;
    free(status);
    return bytes;
}

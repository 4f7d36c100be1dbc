/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program.h: run a program that was built, and see how it ends and what it says.
 *
 *   struct program p;
 *   program_start(&p, dir, (const char *[]){TH_BUILDDIR "/threshd", "-h", NULL});
 *   ck_assert_int_eq(program_wait(&p), 0);
 *   char *said = program_err(&p);                 the heap's; what it has written so far
 *
 * A program ends with the test that started it, however that ends. One that does not end in time
 * fails the test.
 */
#ifndef T_LIB_PROGRAM_H
#define T_LIB_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "lib/scratch.h"

/* Generous: a loaded machine with sanitizers. What goes well does not wait for it. */
#define PATIENCE_MS 30000

struct program {
    pid_t pid;
    bool ended;
    int end; /* exit code, or minus the signal's number */
    char out_path[SCRATCH_PATH], err_path[SCRATCH_PATH];
};

/* dir: where its output goes. argv ends with NULL; argv[0] is the path. */
void program_start(struct program *p, const char *dir, const char *const *argv);
/* True once it has ended, which p->end then tells. Never waits. */
bool program_has_ended(struct program *p);
/* Waits; returns p->end. */
int program_wait(struct program *p);
char *program_out(const struct program *p);
char *program_err(const struct program *p);
/* Start and wait. */
int program_run(struct program *p, const char *dir, const char *const *argv);
/* Descriptors it has open, and bytes of memory it uses. */
unsigned program_descriptors(const struct program *p);
size_t program_memory(const struct program *p);
/* One step of waiting for something: `while (!it) patience(&left_ms);` fails the test at 0. */
void patience(int *left_ms, const char *what);

#endif

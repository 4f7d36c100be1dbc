/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scratch.h: files of a test program, all below one temporary folder that goes with the program.
 *
 *   scratch_open();                               in main
 *   char dir[SCRATCH_PATH];
 *   scratch_dir(dir);                             a new folder
 *   scratch_write(dir, "zones/e2e.example", text);   folders on the way are made
 *   scratch_close();                              removes everything, also after failed tests
 *
 * Failing system calls fail the test.
 */
#ifndef T_LIB_SCRATCH_H
#define T_LIB_SCRATCH_H

#include <stdbool.h>

#define SCRATCH_PATH 256

void scratch_open(void);
void scratch_close(void);
void scratch_dir(char out[SCRATCH_PATH]);
/* Written beside and renamed, so that nobody reads half of it. */
void scratch_write(const char *dir, const char *name, const char *text);
void scratch_remove(const char *dir, const char *name);
bool scratch_exists(const char *dir, const char *name);
/* The whole file, NUL-terminated, from the heap; "" if there is none. */
char *scratch_read(const char *path);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * err.h: errors for programs.  A call that can fail returns 0 or one of these; what a person has
 * to know of it goes into a struct diag (diag.h).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err {
    ERR_SYNTAX = -1,   /* text that cannot be read */
    ERR_RANGE = -2,    /* read, but outside what is allowed */
    ERR_SPACE = -3,    /* does not fit the room given */
    ERR_IO = -4,       /* the system refused; errno says why */
    ERR_NOTFOUND = -5, /* no such thing */
    ERR_EXISTS = -6,   /* there is one already */
    ERR_REFUSED = -7,  /* understood, and not allowed; the diag says why */
    ERR_BUSY = -8,     /* try again later */
};

#endif

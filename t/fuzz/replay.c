/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c: the main() that `make check` gives a fuzz target: feeds it every file of its corpus,
 * t/fuzz/corpus/FUZZ_CORPUS, so that what a fuzzer once found stays found.  A fault ends the
 * process, as it does under the fuzzer.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"

static int read_file(const char *path, struct buf *out)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    size_t n;
    do {
        n = fread(buf_reserve(out, 65536), 1, 65536, f);
        out->len += n;
    } while (n);
    int e = ferror(f) ? -1 : 0;
    return fclose(f) == 0 ? e : -1;
}

/* 0, or -1 if the file cannot be read. */
static int replay_file(const char *dir, const char *name)
{
    struct buf b = {0};
    char *path = mem_printf("%s/%s", dir, name);
    int e = read_file(path, &b);
    if (e == 0) {
        uint8_t *exact = mem_alloc(b.len); /* so that a sanitizer sees one byte too many */
        if (b.len)
            memcpy(exact, b.data, b.len);
        (void)LLVMFuzzerTestOneInput(exact, b.len); /* always 0: a fault does not return */
        mem_free(exact);
    } else {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno)); /* the count says it too */
    }
    buf_fini(&b);
    mem_free(path);
    return e;
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : TH_SRCDIR "/t/fuzz/corpus/" FUZZ_CORPUS;
    unsigned checks = 0, errors = 0;
    DIR *d = opendir(dir);
    if (!d) {
        perror(dir);
        return EXIT_FAILURE;
    }
    for (const struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        checks++;
        errors += replay_file(dir, e->d_name) != 0;
    }
    closedir(d);
    if (checks == 0)
        errors = checks = 1; /* an empty corpus is a broken distribution */
    printf("%u%%: Checks: %u, Failures: 0, Errors: %u\n", (checks - errors) * 100 / checks, checks,
           errors);
    return errors ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/cookie.h"

#include <endian.h>
#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "base/prng.h"

_Static_assert(COOKIE_SECRET_BYTES == crypto_shorthash_siphash24_KEYBYTES, "keys of SipHash");
_Static_assert(COOKIE_PRIMARY_BYTES == crypto_kdf_blake2b_KEYBYTES, "keys of the derivation");

/* RFC 9018 section 4.3 and 4.4: seconds. */
enum { RENEW_AFTER_S = 1800, VALID_S = 3600, FUTURE_S = 300 };
enum { VERSION = 1, HASH_BYTES = 8, RFC9018_BYTES = 16, SECONDS_PER_HOUR = 3600 };

struct cookie_keys {
    _Atomic unsigned refs;
    uint64_t id; /* told apart from keys that stood at the same address before */
    bool has_primary, gdnsd;
    uint8_t primary[COOKIE_PRIMARY_BYTES];
    size_t secret_count;
    struct cookie_secret secrets[COOKIE_SECRETS_MAX];
};

/* gdnsd's derivation: of the hours, since they must agree with its own. */
static void derive(uint8_t out[COOKIE_SECRET_BYTES], uint64_t id, const char *context,
                   const uint8_t *primary)
{
    /* fails for lengths out of range only */
    (void)crypto_kdf_blake2b_derive_from_key(out, COOKIE_SECRET_BYTES, id, context, primary);
}

struct cookie_keys *cookie_keys_new(const struct cookie_config *config)
{
    struct cookie_keys *k = mem_new(struct cookie_keys);
    k->refs = 1;
    k->id = prng_secret() | 1; /* 0 is "none" */
    k->has_primary = config->primary != NULL;
    k->gdnsd = config->gdnsd && k->has_primary;
    if (k->has_primary)
        memcpy(k->primary, config->primary, COOKIE_PRIMARY_BYTES);
    for (size_t i = 0; i < config->secret_count && i < COOKIE_SECRETS_MAX; i++)
        k->secrets[k->secret_count++] = config->secrets[i];
    if (!k->secret_count && k->has_primary) {
        derive(k->secrets[0].bytes, 1, "thrCK018", k->primary);
        k->secret_count = 1;
    }
    return k;
}

struct cookie_keys *cookie_keys_ref(struct cookie_keys *k)
{
    if (k)
        atomic_fetch_add(&k->refs, 1);
    return k;
}

void cookie_keys_unref(struct cookie_keys *k)
{
    if (!k || atomic_fetch_sub(&k->refs, 1) != 1)
        return;
    sodium_memzero(k, sizeof *k);
    mem_free(k);
}

/* ---- RFC 9018 ------------------------------------------------------------------------------ */

/* Section 4.4: over client cookie, version, reserved, time (`head`: 16 bytes), and the address. */
static void hash_rfc9018(const struct cookie_secret *secret, const uint8_t head[16],
                         const struct th_addr *client, uint8_t out[HASH_BYTES])
{
    uint8_t in[32];
    unsigned n = th_addr_len(client);
    memcpy(in, head, 16);
    memcpy(in + 16, client->bytes, n);
    crypto_shorthash_siphash24(out, in, 16 + n, secret->bytes);
}

static uint32_t time_of(const struct edns *opt)
{
    uint32_t be;
    memcpy(&be, opt->cookie + 12, 4);
    return be32toh(be);
}

/* Age by serial arithmetic (section 4.3); negative = made in the future. */
static int32_t age_of(const struct cookie_ask *ask)
{
    return (int32_t)((uint32_t)ask->now_s - time_of(ask->opt));
}

static bool is_valid_rfc9018(const struct cookie_keys *k, const struct cookie_ask *ask)
{
    const uint8_t *cookie = ask->opt->cookie;
    if (ask->opt->cookie_len != EDNS_CLIENT_COOKIE + RFC9018_BYTES || cookie[8] != VERSION)
        return false;
    int32_t age = age_of(ask);
    if (age > VALID_S || age < -FUTURE_S)
        return false;
    for (size_t i = 0; i < k->secret_count; i++) {
        uint8_t want[HASH_BYTES];
        hash_rfc9018(&k->secrets[i], cookie, ask->client, want);
        if (sodium_memcmp(want, cookie + 16, HASH_BYTES) == 0)
            return true;
    }
    return false;
}

static void make_rfc9018(const struct cookie_keys *k, const struct cookie_ask *ask, uint8_t *out)
{
    uint32_t now_be = htobe32((uint32_t)ask->now_s);
    memcpy(out, ask->opt->cookie, EDNS_CLIENT_COOKIE);
    memcpy(out + 8, (const uint8_t[4]){VERSION}, 4);
    memcpy(out + 12, &now_be, 4);
    hash_rfc9018(&k->secrets[0], out, ask->client, out + 16);
}

/* ---- gdnsd --------------------------------------------------------------------------------- */

static void hash_gdnsd(const uint8_t *key, const struct cookie_ask *ask, uint8_t out[HASH_BYTES])
{
    uint8_t in[24] = {0};
    memcpy(in, ask->client->bytes, th_addr_len(ask->client)); /* the rest of 16 is zero */
    memcpy(in + 16, ask->opt->cookie, EDNS_CLIENT_COOKIE);
    crypto_shorthash_siphash24(out, in, sizeof in, key);
}

/* Key i of the last (0), this (1) and the next hour (2). */
static const uint8_t *hour_key(const struct cookie_keys *k, struct cookie_hours *h, uint64_t now_s,
                               unsigned i)
{
    uint64_t hour = now_s / SECONDS_PER_HOUR;
    if (h->keys_id != k->id || h->hour != hour) {
        h->keys_id = k->id;
        h->hour = hour;
        for (unsigned n = 0; n < 3; n++)
            derive(h->key[n], hour + n - 1, "gdnsCKDF", k->primary);
    }
    return h->key[i];
}

static bool is_valid_gdnsd(const struct cookie_keys *k, struct cookie_hours *h,
                           const struct cookie_ask *ask)
{
    static const uint8_t likeliest_first[] = {1, 0, 2};
    if (!k->has_primary || ask->opt->cookie_len != EDNS_CLIENT_COOKIE + HASH_BYTES)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t want[HASH_BYTES];
        hash_gdnsd(hour_key(k, h, ask->now_s, likeliest_first[i]), ask, want);
        if (sodium_memcmp(want, ask->opt->cookie + EDNS_CLIENT_COOKIE, HASH_BYTES) == 0)
            return true;
    }
    return false;
}

/* ---- both ---------------------------------------------------------------------------------- */

enum cookie_state cookie_check(const struct cookie_keys *k, struct cookie_hours *h,
                               const struct cookie_ask *ask)
{
    if (ask->opt->cookie_len == EDNS_CLIENT_COOKIE)
        return COOKIE_INIT;
    bool valid = is_valid_rfc9018(k, ask) || is_valid_gdnsd(k, h, ask);
    return valid ? COOKIE_OK : COOKIE_BAD;
}

size_t cookie_answer_len(const struct cookie_keys *k)
{
    return EDNS_CLIENT_COOKIE + (size_t)(k->gdnsd ? HASH_BYTES : RFC9018_BYTES);
}

void cookie_answer(const struct cookie_keys *k, struct cookie_hours *h,
                   const struct cookie_ask *ask, enum cookie_state state,
                   uint8_t out[COOKIE_ANSWER_MAX])
{
    if (k->gdnsd) {
        memcpy(out, ask->opt->cookie, EDNS_CLIENT_COOKIE);
        hash_gdnsd(hour_key(k, h, ask->now_s, 1), ask, out + EDNS_CLIENT_COOKIE);
    } else if (state == COOKIE_OK && ask->opt->cookie_len == COOKIE_ANSWER_MAX &&
               age_of(ask) <= RENEW_AFTER_S && age_of(ask) >= 0) {
        memcpy(out, ask->opt->cookie, COOKIE_ANSWER_MAX);
    } else {
        make_rfc9018(k, ask, out);
    }
}

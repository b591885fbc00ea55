/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/base.h"
#include "tests/unit/assert.h"

#include <string.h>

static void assert_sha256(const wsk_sha256 *sum, const char *want)
{
    unsigned char digest[WSK_SHA256];
    char hex[2 * WSK_SHA256 + 1];
    wsk_sha256_end(*sum, digest);
    for (int i = 0; i < WSK_SHA256; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(hex, want);
}

/* Test vectors of NIST: FIPS 180-2, appendix B, and the digest of the empty message. */
static void sha256_gives_the_published_values(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digest;
    } some[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    wsk_sha256 sum;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        wsk_sha256_start(&sum);
        wsk_sha256_add(&sum, some[i].text, strlen(some[i].text));
        assert_sha256(&sum, some[i].digest);
    }
    /* A million letters "a", added in pieces of every length from 0 to 200. */
    char letters[200];
    memset(letters, 'a', sizeof letters);
    wsk_sha256_start(&sum);
    for (size_t left = 1000000, piece = 0; left > 0; piece = (piece + 1) % (sizeof letters + 1)) {
        const size_t n = piece < left ? piece : left;
        wsk_sha256_add(&sum, letters, n);
        left -= n;
    }
    assert_sha256(&sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void sha256_at_the_end_fits(void **state)
{
    (void)state;
    char bytes[200];
    for (size_t len = 0; len <= sizeof bytes - WSK_SHA256; len++) {
        memset(bytes, (int)len, len);
        wsk_sha256 sum;
        wsk_sha256_start(&sum);
        wsk_sha256_add(&sum, bytes, len);
        wsk_sha256_end(sum, (unsigned char *)bytes + len);
        for (size_t bit = 0; bit < 8 * (len + WSK_SHA256); bit += 5) {
            const char before = bytes[bit / 8];
            bytes[bit / 8] = (char)(before ^ (1 << bit % 8));
            assert_false(wsk_sha256_fits(bytes, len + WSK_SHA256));
            bytes[bit / 8] = before;
        }
        assert_true(wsk_sha256_fits(bytes, len + WSK_SHA256));
        assert_false(wsk_sha256_fits(bytes, WSK_SHA256 - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sha256_gives_the_published_values),
                                       cmocka_unit_test(sha256_at_the_end_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

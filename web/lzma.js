// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks .lzma files, by the LZMA specification of the 7-Zip SDK. Browsers unpack only gzip by themselves, and the
// engine is an eighth smaller in this form.

// Where each kind of probability begins among all of them. A length has 514: two choices, 16 trees of 3 bits for short
// and as many for middle lengths, one tree of 8 bits for long ones.
const MATCH = 0, REP = 192, REP0 = 204, REP1 = 216, REP2 = 228, REP0_LONG = 240, SLOT = 432, SPECIAL = 688, ALIGN = 816, LENGTH = 832, REP_LENGTH = 1346, LITERAL = 1860;

/** The header must have the size of the content. A damaged file gives damaged bytes. @param {Uint8Array} file @returns {Uint8Array<ArrayBuffer>} */
export function unlzma(file) {
    const view = new DataView(file.buffer, file.byteOffset), lc = file[0] % 9, lp = Math.floor(file[0] / 9) % 5, pb = Math.floor(file[0] / 45);
    const out = new Uint8Array(view.getUint32(5, true)), chances = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(1024);
    let range = 0xffffffff, code = view.getUint32(14), next = 18, to = 0, state = 0;
    const far = [0, 0, 0, 0];

    const refill = () => {
        if (range < 1 << 24) {
            range = (range << 8) >>> 0;
            code = ((code << 8) | file[next++]) >>> 0;
        }
    };
    const bit = (/** @type {number} */ of) => {
        const chance = chances[of], bound = (range >>> 11) * chance, one = code >= bound;
        if (one) {
            range -= bound;
            code -= bound;
            chances[of] = chance - (chance >> 5);
        } else {
            range = bound;
            chances[of] = chance + ((2048 - chance) >> 5);
        }
        refill();
        return Number(one);
    };
    const tree = (/** @type {number} */ of, /** @type {number} */ bits) => {
        let at = 1;
        for (let i = 0; i < bits; i++) at = (at << 1) | bit(of + at);
        return at - (1 << bits);
    };
    const backwards = (/** @type {number} */ of, /** @type {number} */ bits) => {
        let at = 1, value = 0;
        for (let i = 0; i < bits; i++) {
            const b = bit(of + at);
            at = (at << 1) | b;
            value |= b << i;
        }
        return value;
    };
    const even = (/** @type {number} */ bits) => {
        let value = 0;
        for (let i = 0; i < bits; i++) {
            range >>>= 1;
            const one = code >= range;
            if (one) code -= range;
            value = (value << 1) | Number(one);
            refill();
        }
        return value;
    };
    const length = (/** @type {number} */ of, /** @type {number} */ place) => !bit(of) ? tree(of + 2 + 8 * place, 3) : !bit(of + 1) ? 8 + tree(of + 130 + 8 * place, 3) : 16 + tree(of + 258, 8);
    const literal = () => {
        const of = LITERAL + 0x300 * (((to & ((1 << lp) - 1)) << lc) + ((out[to - 1] ?? 0) >> (8 - lc)));
        let at = 1;
        if (state >= 7)
            for (let like = out[to - far[0] - 1]; at < 0x100; like <<= 1) {
                const expected = (like >> 7) & 1, b = bit(of + ((1 + expected) << 8) + at);
                at = (at << 1) | b;
                if (b !== expected) break;
            }
        while (at < 0x100) at = (at << 1) | bit(of + at);
        return at;
    };
    const distance = (/** @type {number} */ many) => {
        const slot = tree(SLOT + 64 * Math.min(many, 3), 6), bits = (slot >> 1) - 1;
        if (slot < 4) return slot;
        const low = (2 | (slot & 1)) << bits;
        return low + (slot < 14 ? backwards(SPECIAL + low - slot, bits) : (even(bits - 4) << 4) + backwards(ALIGN, 4));
    };

    while (to < out.length) {
        const place = to & ((1 << pb) - 1);
        if (!bit(MATCH + 16 * state + place)) {
            out[to] = literal();
            to++;
            state = Math.max(0, state - (state < 10 ? 3 : 6));
            continue;
        }
        let many = 1;
        if (!bit(REP + state)) {
            many = length(LENGTH, place);
            far.unshift(distance(many));
            many += 2;
            state = state < 7 ? 7 : 10;
        } else {
            const which = !bit(REP0 + state) ? 0 : !bit(REP1 + state) ? 1 : !bit(REP2 + state) ? 2 : 3;
            if (which || bit(REP0_LONG + 16 * state + place)) {
                far.unshift(...far.splice(which, 1));
                many = length(REP_LENGTH, place) + 2;
                state = state < 7 ? 8 : 11;
            } else state = state < 7 ? 9 : 11;
        }
        far.length = 4;
        for (; many && to < out.length; many--, to++) out[to] = out[to - far[0] - 1];
    }
    return out;
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests `make mutate` on a library of one file: a test that checks the result must notice each mutant (a mistake put
# into the source), and a test that checks nothing must let mutants survive.
set -u
mutate=$PWD/tests/mutate
. "$(dirname "$0")/judged.inc"
said=$scratch/said
cd "$scratch" || exit 1
says() { grep -qE -- "$1" "$said"; }
cc=${CC:-gcc}
case $cc in *gcc*) ;; *) echo "skip mutants: lines are counted with gcc" && exit 77 ;; esac

mkdir -p sim/net models tests build/obj/cli build/mutate/cov/obj/sim/net tests/unit build/mutate/cov/tests/unit
cp -R "$mutate" tests/
cat >sim/net/toy.c <<'END'
/* a * b, if (c) */
static const char *const text = "a + b == 1";
int wsk_toy(int x);
int wsk_toy(int x)
{
    if (x > 40)
        return text[0];
    return x + 2; /* x - 2 */
}
END
printf 'int wsk_toy(int x);\nint main(void)\n{\n    return wsk_toy(40) != 42 || wsk_toy(41) != 97;\n}\n' >tests/unit/test_sees.c
printf 'int wsk_toy(int x);\nint main(void)\n{\n    return wsk_toy(1) == -99;\n}\n' >tests/unit/test_blind.c
: >none.c
"$cc" -c -o none.o none.c && "$cc" -c -o toy.o sim/net/toy.c || exit 1
ar rcs build/libwattsink.a toy.o && ar rcs build/libcli.a none.o && cp build/libcli.a build/libwords.a
"$cc" --coverage -c -o build/mutate/cov/obj/sim/net/toy.o sim/net/toy.c || exit 1
for test in sees blind; do
    "$cc" --coverage -o "build/mutate/cov/tests/unit/test_$test" "tests/unit/test_$test.c" \
        build/mutate/cov/obj/sim/net/toy.o || exit 1
done
judge() {
    rm -rf build/mutate/map counts && mkdir counts
    MUTATE=build/mutate BUILD=build MUTATE_COMPILE="$cc" MUTATE_LINK="$cc" MUTATE_LIBS='' MUTATE_SUPPORT='' \
        SEED=3 MUTANTS=10 WATTSINK_COUNTS=counts sh tests/mutate/mutate.sh "$@" >said 2>&1
    got=$?
}

judge tests/unit/test_sees.c
check "a test that checks the result notices all mutants: exit status 0" [ $got = 0 ]
check "only lines that tests execute are changed" says '^SEED=3: 3 mutants, 3 noticed, 0 called equivalent, 0 survived$'
check "the test that noticed a mutant is named" says '^killed by tests/unit/test_sees\.c: sim/net/toy\.c:8: '
check "the source is as before" grep -q '^    return x + 2; /\* x - 2 \*/$' sim/net/toy.c

judge tests/unit/test_blind.c
check "surviving mutants: exit status 1" [ $got = 1 ]
check "a survivor is shown with its line" says '^survivor: sim/net/toy\.c:8: return x \+ 2; /\* x - 2 \*/: '
check "the counts are written for docs/reliability.md" grep -q '^noticed: 0$' counts/mutants
sed -n 's/^survivor: \([^:]*\):8\(: .*\)/\1\2: a reason/p' said >tests/mutate/equivalent.txt
judge tests/unit/test_blind.c
check "a mutant in equivalent.txt is called equivalent; half of all is too many" \
    [ "$got $(sed -n 's/.*noticed, \(.*\) equivalent.*/\1/p' said)" = "1 1 called" ]

judge tests/unit/test_blind.c tests/unit/test_sees.c
check "one of two tests notices the mutants: exit status 0" [ $got = 0 ]

for _ in once twice; do
    awk -v seed=1 -f tests/mutate/mutants.awk build/mutate/run/executed sim/net/toy.c
done >said
check "the same seed draws the same mutants" [ "$(sort said | uniq -c | awk '$1 == 2' | wc -l)" = 3 ]
exit $status

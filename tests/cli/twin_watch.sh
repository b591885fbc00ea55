#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=watch-$$
pid=
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT

exits 2 "an address that is none" "$wattsink" twin two-cards.xml --name "$twin" --listen nowhere
exits 2 "one that others reach, without a token" "$wattsink" twin two-cards.xml --name "$twin" --listen 0.0.0.0:0
says err 'needs --token FILE' "the message says what is missing"
if "$wattsink" twin two-cards.xml --name "$twin" --listen 127.0.0.1:0 --token /nowhere 2>&1 | grep libmicrohttpd; then
    exits 1 "built without libmicrohttpd" "$wattsink" twin two-cards.xml --name "$twin" --listen 127.0.0.1:0
    says err 'Debian: libmicrohttpd' "it names the package"
    echo "skip the page of a twin (no libmicrohttpd)"
    exit $status
fi
echo short >token
exits 1 "a short token" "$wattsink" twin two-cards.xml --name "$twin" --listen 127.0.0.1:0 --token token
exits 1 "a token that cannot be read" "$wattsink" twin two-cards.xml --name "$twin" --listen 127.0.0.1:0 --token nowhere
command -v curl >/dev/null || { echo "skip the page of a twin (no curl)" && exit $status; }

listening() { grep -q '^Page: ' err || ! kill -0 "$pid" 2>/dev/null; }
start() {
    : >err # removes the message of the previous twin, for which `listening` waits
    "$wattsink" twin "${rig:-two-cards.xml}" --name "$twin" --listen "${at:-127.0.0.1:0}" "$@" >out 2>err &
    pid=$!
    soon listening
    url=$(sed -n 's/^Page: \(.*\/\) .*/\1/p' err)
    port=${url%/} port=${port##*:}
}
# get STATUS NAME OPTION... PATH: curl gets this status, and leaves what it received in the file `body`.
get() {
    want=$1 what=$2
    shift 2
    got=$(curl -s -m 20 -o body -w '%{http_code}' "$@")
    [ "$got" = "$want" ] && pass "$what" || fail "$what" "status $got, expected $want: $(head -c 200 body)"
}
start --speed 60
get 200 "the page" "$url"
says body '<html lang="en">' "it is a page"
get 200 "its script" "${url}page.js"
get 200 "its style" "${url}page.css"
get 404 "no other file" "${url}live.js"
get 404 "no folder" --path-as-is "${url}../../etc/passwd"
curl -s -D head -o body "$url"
says head "default-src 'none'; script-src 'self'" "its policy allows no request elsewhere"
grep -oE '(src|href)="[^"]*"' body | grep -vE '"(data:,|page\.(css|js))"' >elsewhere
[ -s elsewhere ] && fail "it names no other place" "$(cat elsewhere)" || pass "it names no other place"
get 200 "metrics" "${url}metrics"
says body '^wattsink_gpu_die_celsius\{id="gpu1"' "of both cards"
says body '^wattsink_wall_watts [0-9]' "and of the wall"
says body '^wattsink_circuit_on\{id="site"\} 1$' "the site's circuit is on, by one id"
says body '^wattsink_circuit_limit_watts\{id="site"' "as in its limit"
curl -s -D head -o body -H 'Accept: application/openmetrics-text' "${url}metrics"
says head 'Content-Type: application/openmetrics-text; version=1.0.0' "OpenMetrics for those who ask"
[ "$(tail -n 1 body)" = "# EOF" ] && pass "the OpenMetrics text ends with # EOF" || fail "the OpenMetrics text ends with # EOF"
curl -sN "${url}live" >live 2>/dev/null &
reader=$!
told_thrice() { [ "$(grep -c '^data: ' live)" -ge 3 ]; }
soon told_thrice && pass "the page is told as the twin runs" || fail "the page is told as the twin runs"
kill $reader
wait $reader 2>/dev/null
sed -n 's/^data: //p' live | head -n 2 >events
if command -v jq >/dev/null; then
    jq -e '.values["gpu0.die"] and (.machine | test("<svg"))' events >/dev/null && pass "with values and the drawing" || fail "with values and the drawing" "$(head -c 300 events)"
fi

get 403 "another name for this machine" -H "Host: example.org:$port" "${url}metrics"
get 405 "a command by GET" "${url}do"
json='Content-Type: application/json'
get 403 "a command from a page of another site" -H "$json" -H 'Origin: https://example.org' -d '{"do": "gpu0 lost"}' "${url}do"
get 415 "a command as a form sends it" -d '{"do": "gpu0 lost"}' "${url}do"
get 400 "two lines" -H "$json" --data-binary '{}
{}' "${url}do"
head -c 5000 /dev/zero | tr '\0' ' ' >long
get 413 "a long command" -H "$json" --data-binary @long "${url}do"
get 409 "a command to a twin that is not writable" -H "$json" -d '{"do": "gpu0.power-limit set 200 W"}' "${url}do"
says body '"messages": \[\{ "code": "twin.read-only", .*"said": "the twin was started without --writable"\}$' "it says why, with a code and for the page"
head -c 20000 /dev/zero | tr '\0' a >long
get 431 "a long header" -H "X: $(cat long)" "${url}metrics"
get 405 "another method" -X OPTIONS "${url}do"

# Hostile input: random bytes, and more connections than the server has places for, of which some stay open and send
# nothing.
if command -v python3 >/dev/null; then
    timeout 60 python3 - "$port" <<'END' >noise 2>&1 && pass "noise and held connections" || fail "noise and held connections" "$(tail -n 3 noise)"
import random, socket, sys
random.seed(1)
port, held = int(sys.argv[1]), []
def send(data, close=True):
    s = socket.create_connection(("127.0.0.1", port), 10)
    s.settimeout(0.05)
    try:
        s.sendall(data)
        s.recv(1000)
    except OSError:
        pass
    if close: s.close()
    else: held.append(s)
good = b"POST /do HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"do\": \"gpu0 lost\"}\n" % port
for i in range(300):
    data = bytearray(good)
    for _ in range(random.randint(1, 8)):
        data[random.randrange(len(data))] = random.randrange(256)
    send(bytes(data[:random.randint(1, len(data))] if i % 2 else data))
    if i % 10 == 0: send(bytes(random.randrange(256) for _ in range(3000)))
send(b"GET /metrics HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 99999999999999999999\r\n\r\n" % port)
for _ in range(60): send(b"GET / HTTP/1.1\r\nHo", close=False)
for s in held: s.close()
END
    kill -0 $pid 2>/dev/null && pass "the twin still runs" || fail "the twin still runs" "$(cat err)"
    answers() { curl -s -m 5 -o body "${url}metrics"; }
    soon answers && says body '^wattsink_wall_watts' "and answers"
fi
kill $pid
wait $pid
[ $? = 0 ] && pass "a signal ends it with a page open" || fail "a signal ends it"

start --writable
get 200 "a page that steers" "$url"
says body '<option>gpu1 lost</option>.*<option>psu0 fails</option>' "lists what can fail"
get 200 "a card is lost by the page" -H "$json" -d '{"do": "gpu1 lost"}' "${url}do"
get 200 "its metrics" "${url}metrics"
says body '^DCGM_FI_DEV_XID_ERRORS.* 79$|^wattsink_gpu_lost.*gpu1.* 1$' "tell that it is off the bus"
get 200 "it returns by the page" -H "$json" -d '{"do": "gpu1 returns"}' "${url}do"
kill $pid
wait $pid

echo 0123456789abcdef0123 >token
start --token token
get 401 "without the token" "${url}metrics"
get 401 "with a wrong one" -H 'Authorization: Bearer 0123456789abcdef0124' "${url}metrics"
get 200 "with the token, as Prometheus sends it" -H 'Authorization: Bearer 0123456789abcdef0123' "${url}metrics"
get 200 "and as a browser does" -u "any:0123456789abcdef0123" "$url"
kill $pid
wait $pid
# Nine pages: the ninth is refused until one of the others is closed.
start --speed 60
readers=
opened() { [ "$(cat live.[1-8] 2>/dev/null | grep -c '^data: ')" -ge 8 ] || ! kill -0 "$pid" 2>/dev/null; }
for i in 1 2 3 4 5 6 7 8; do
    curl -sN "${url}live" >live.$i 2>/dev/null &
    readers="$readers $!"
    there() { grep -q '^data: ' live.$i || ! kill -0 "$pid" 2>/dev/null; }
    soon there
done
get 503 "a ninth page" "${url}live"
get 200 "but not the metrics" "${url}metrics"
exits 1 "the address of another program" "$wattsink" twin two-cards.xml --name "$twin-2" --listen "127.0.0.1:$port"
says err "cannot listen on 127\.0\.0\.1:$port" "is told"
# shellcheck disable=SC2086  # unquoted: process ids
kill $readers
again() { [ "$(curl -s -m 1 -o body -w '%{http_code}' "${url}live")" != 503 ] || ! kill -0 "$pid" 2>/dev/null; }
soon again && pass "with the others closed there is a place" || fail "with the others closed there is a place"
kill $pid
wait $pid

# The page states what limits each card, here in two chassis with an air conditioner.
cat >two.xml <<'END'
<rig name="Two chassis">
  <site supply="230 V" circuit="16 A">
    <room volume="30 m3" conductance="60 W/K"><outdoor mean="19 degC" swing="4 K"/><air-conditioner capacity="2.8 kW" setpoint="27 degC"/></room>
  </site>
  <chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/><psu part="psu/evga-1600-p2"/>
    <cpu part="cpu/xeon-w-2255"/><gpu part="gpu/rtx-3090" slot="1" power-limit="200 W"/><gpu part="gpu/rtx-3090" slot="5"/></chassis>
  <chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/><psu part="psu/evga-1600-p2"/>
    <cpu part="cpu/generic-desktop"/><loop part="loop/custom-2x360"/>
    <gpu part="gpu/rtx-3090" slot="1"><cooler part="cooler/block-rtx-3090"/></gpu></chassis>
  <workload kind="inference" class="training" gpus="all"/>
  <run for="1 d" step="1 s"/>
</rig>
END
rig=two.xml
start --lockstep --writable
get 200 "a page of two chassis" "$url"
says body '<option>air-conditioner fails</option>' "its air conditioner can fail"
# event TIME: writes the first event of the page's stream at this simulated time into the file `event`.
event() {
    curl -sN -m 60 "${url}live" 2>/dev/null | sed -n "/^data: .*\"time\":\"$1\"/{s/^data: //p;q}" >event
}
tell() { # NAME VALUE: checks a value of the file `event`
    if grep -qF "\"$1\":\"$2\"" event; then pass "$1 is $2"; else fail "$1 is $2" "$(grep -oE "\"$1\":\"[^\"]*\"" event)"; fi
}
advance() { "$wattsink" twin --name "$twin" "$@" >said 2>&1 || fail "$*" "$(cat said)"; }
advance --ask '{"advance_s": 60}'
event '1 min'
tell gpu0.held power
tell gpu0.limit '200 W'
# The drawing has present values too: each processor its own temperature, a card its clock after a change of its limit.
advance --do 'gpu0.power-limit set 300 W' --ask '{"advance_s": 60}'
event '2 min'
sed 's/\\"/"/g; s/\\n/ /g' event >drawing
drawn() { # NAME DIGITS PATTERN: the drawing has the present value of NAME where PATTERN has %s
    now=$("$wattsink" twin --name "$twin" --read "$1" | sed "s/^[^ ]* //") now=$(printf "%.$2f" "$now")
    # shellcheck disable=SC2059  # a pattern
    if grep -qE "$(printf "$3" "$now")" drawing; then pass "the drawing has $1"; else fail "the drawing has $1" "$now: $(grep -oE '(cpu[01]<[^°]*°|clock [0-9]* MHz)' drawing)"; fi
}
drawn cpu0.die_c 1 '>cpu0</text><text [^>]*>%s °C<'
drawn cpu1.die_c 1 '>cpu1</text><text [^>]*>%s °C<'
drawn gpu0.clock_mhz 0 'gpu0: GPU temperature [0-9.]* °C, clock %s MHz'
if grep -qE '>[0-9]* W, (fan )?0 rpm' drawing; then fail "no fan on a water block"; else pass "no fan on a water block"; fi
advance --do 'gpu0.power-limit returns' --do 'gpu1.fan fails' --ask '{"advance_s": 900}'
event '17 min'
tell gpu1.fan '0 %'
if grep -qE '"gpu1.held":"(heat|hardware|off the bus)"' event; then pass "a card without its fan is limited by heat"; else fail "a card without its fan is limited by heat" "$(head -c 900 event)"; fi
advance --do 'gpu2 lost' --ask '{"advance_s": 5}'
event '17.1 min'
tell gpu2.held 'off the bus'
advance --do 'gpu0.job set idle' --ask '{"advance_s": 60}'
event '18.1 min'
tell gpu0.held ''
kill $pid
wait $pid
rig=
if [ -e /proc/net/if_inet6 ] && grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6; then
    at='[::1]:0'
    start
    case $url in 'http://[::1]:'*) pass "an address of IPv6" ;; *) fail "an address of IPv6" "$(cat err)" ;; esac
    get 200 "its metrics" -g "${url}metrics"
    kill $pid
    wait $pid
else
    echo "skip an address of IPv6: there is none here"
fi
exit $status

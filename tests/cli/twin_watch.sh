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
    : >err # removes the address of the previous twin, for which `listening` would look
    "$wattsink" twin two-cards.xml --name "$twin" --listen 127.0.0.1:0 "$@" >out 2>err &
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
curl -s -D head -o body -H 'Accept: application/openmetrics-text' "${url}metrics"
says head 'Content-Type: application/openmetrics-text; version=1.0.0' "OpenMetrics for those who ask"
[ "$(tail -n 1 body)" = "# EOF" ] && pass "it ends as it must" || fail "it ends as it must"
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
exit $status

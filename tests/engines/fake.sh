#!/bin/sh
# A UCI engine for tests, which knows the start position and the other position that "perft probe" asks about, and fails in the way
# that its argument says. After moves it knows none. What it
# should do once only, it does if the file of its second argument is not there yet. With a number behind that, it counts its
# answers in that file, whatever process of it gave them, and is good until this one.

mode=$1
mark=$2
from=$3

moves='a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g1f3 g1h3 g2g3 g2g4 h2h3 h2h4'

# A divide of the position at depth 1 or 2.
divide() {
    case $position in
    *' moves '*) echo 'a7a6: 1'; echo; echo 'Nodes searched: 1'; echo; return ;;
    *' 4k3/8/8/8/8/8/4P3/4K3 w '*) list='e1d1 e1d2 e1f1 e1f2 e2e3 e2e4' count=6 deeper=5 ;;
    *) list=$moves count=20 deeper=20 ;;
    esac
    each=$([ "$1" = 1 ] && echo 1 || echo $deeper)
    for move in $list; do echo "$move: $each"; done
    echo
    echo "Nodes searched: $((count * each))"
    echo
}

first_time() {
    [ ! -e "$mark" ] && : >"$mark"
}

answer() {
    way=$mode
    if [ -n "$from" ]; then
        echo >>"$mark"
        [ "$(wc -l <"$mark")" -ge "$from" ] || way=good
    fi
    case $way in
    good | options) divide "$1" ;;
    hang) sleep 1000 ;;
    dies) printf 'a2a3: 1\na2a4'; echo 'assertion failed: no king' >&2; exit 3 ;;
    dies-once) if first_time; then kill -9 $$; fi; divide "$1" ;;
    flood) while :; do printf 'info string still thinking %30000s\n' .; done ;;
    long-line) while :; do printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done ;;
    wrong) divide "$1" | sed 's/^Nodes searched: 400/Nodes searched: 401/' ;;
    nonsense) printf '\377\376\001 \303( many\n' ;;
    garbage) printf '\377\376\001 Nodes: \303( many\n'; divide "$1" ;;
    late) if first_time; then sleep 1; fi; divide "$1" ;;
    twice) divide "$1"; divide "$1" ;;
    esac
}

[ "$mode" = deaf ] && exec sleep 1000
[ "$mode" = refuses ] && { echo "no licence" >&2; exit 7; }

while read -r command arguments; do
    case $command in
    uci) echo 'id name Fake 1.0'; echo 'option name UCI_Chess960 type check default false'
        echo 'option name Book File type string default <empty>'; echo uciok ;;
    isready) if [ "$mode" = loads ]; then sleep 1; mode=good; fi; echo readyok ;;
    setoption) [ "$mode" = options ] && echo "$arguments" >>"$mark" ;;
    position) position=$arguments ;;
    go) answer "${arguments#perft }" ;;
    quit) exit ;;
    esac
done

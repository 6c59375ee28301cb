#!/bin/sh
# A UCI engine that behaves badly in the way that its first argument says. It writes the numbers of its processes to the file of
# its second argument. With more arguments it answers at once, like a program that is asked by its arguments.

mode=$1
echo $$ >>"$2"

introduce() {
    echo 'id name Hostile'
    echo 'option name UCI_Chess960 type check default false'
    echo uciok
}

# A divide of the start position at depth 1 or 2, with this total.
divide() {
    each=$([ "$1" = 1 ] && echo 1 || echo 20)
    for file in a b c d e f g h; do printf '%s2%s3: %s\n%s2%s4: %s\n' $file $file "$each" $file $file "$each"; done
    for move in b1a3 b1c3 g1f3 g1h3; do echo "$move: $each"; done
    printf '\nNodes searched: %s\n\n' "$2"
}

right() {
    divide "$1" $((20 * each))
}

answer() {
    case $mode in
    flooding) while :; do echo 'info string still thinking'; done ;;
    endless-line) while :; do printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done ;;
    garbage) head -c 20000 /dev/urandom; echo ;;
    forking) sleep 1000 & echo $! >>"$processes"; sleep 1000 & echo $! >>"$processes" ;;
    ignoring-signals | never-finishing) sleep 1000 ;;
    dying) printf 'a2a3: 1\na2'; echo 'assertion failed: no king' >&2; exit 3 ;;
    closing-output) exec >&-; sleep 1000 ;;
    many-moves) for number in $(seq 3000); do echo "a2a3: $number"; done; echo 'Nodes searched: 1' ;;
    huge-numbers) echo 'a2a3: 99999999999999999999999999999999999999999999'; echo 'Nodes searched: 340282366920938463463374607431768211456' ;;
    contradicting) divide "$1" 399 ;;
    slow) sleep 0.1; divide "$1" $((20 * ($1 == 1 ? 1 : 20))) ;;
    esac
}

processes=$2
case $mode in
silent) exec sleep 1000 ;;
never-reading) while :; do introduce; echo readyok; echo 'a2a3: 1'; sleep 0.01; done ;;
endless-introduction) while :; do echo 'option name X type string default y'; done ;;
ignoring-signals) trap '' HUP INT TERM ;;
esac

if [ $# -gt 2 ]; then
    answer 1
    exit
fi

while read -r command arguments; do
    case $command in
    uci) introduce ;;
    isready) echo readyok ;;
    go) answer "${arguments#perft }" ;;
    quit) exit ;;
    esac
done

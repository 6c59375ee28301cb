#!/bin/sh
# A program for tests that is run for every question, as perftree has it or, behind the depth `-2`, as qperft is. It knows the
# start position to depth 2. From the run of this number on (runs are counted in a file) it fails in the way that is said.
#
#     script.sh MODE RUN FILE DEPTH [-2] FEN

mode=$1
from=$2
file=$3
depth=$4

echo >>"$file"
[ "$(wc -l <"$file")" -ge "$from" ] || mode=good
nodes=$([ "$depth" = 1 ] && echo 20 || echo 400)

case $mode in
hang) sleep 1000 ;;
dies) echo 'a2a3 20'; echo 'assertion failed: no king' >&2; kill -9 $$ ;;
nonsense) printf '\377\376\001 \303( many\n'; exit ;;
gone) rm "$0" ;;
fat) head -c 100000000 /dev/zero | tail -c 100000000 | wc -c >/dev/null ;;
wrong) nodes=$((nodes + 1)) ;;
esac

if [ "$5" = -2 ]; then
    echo "perft( $depth)= $nodes ( 0.000 sec)"
else
    echo "$nodes"
fi

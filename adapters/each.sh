#!/bin/sh
# Asks a program that has perft as a command, once per question. Change the last lines for your program.
#
#     perft hunt --engine ./each.sh --dialect perftree
#
# perft calls this script as: each.sh DEPTH FEN "MOVE MOVE ..." (the moves may be missing). The output may be in most formats: move
# lines such as "e2e4: 20" and a total.
depth=$1 fen=$2 moves=${3:-}

printf 'position fen %s%s\ngo perft %s\nquit\n' "$fen" "${moves:+ moves $moves}" "$depth" | ./my-engine

#!/bin/sh
# Imitates how public programs are asked for a perft and how they answer: imitate.sh PERFT NAME [ARGUMENTS]. PERFT is the
# program that counts. The names and the formats are those of a survey of public engines.

perft=$1
name=$2
shift 2

start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
fen=$start
moves=

# Prints MOVE COUNT for each move of the position at a depth, and TOTAL COUNT.
counts() {
    "$perft" divide --fen "$fen" ${moves:+--moves "$moves"} --depth "$1" --format csv | tr -d '"' |
        awk -F, 'NR > 1 && $1 ~ /^[a-h]/ { print $1, $2; total += $2 } END { print "TOTAL", total + 0 }'
}

# Prints the answer at a depth: a format of awk for the moves, if any, and one for the total. In the formats, %s is the move
# or the depth, and %d the count.
answer() {
    counts "$1" | awk -v depth="$1" -v each="$2" -v total="$3" '
        $1 != "TOTAL" { if (each != "") printf each, $1, $2; next }
        { gsub(/DEPTH/, depth, total); printf total, $2 }'
}

# `position fen FEN [moves M...]` and `position startpos [moves M...]`.
set_position() {
    case $1 in
    *' moves '*) moves=$(echo "${1#* moves }" | tr ' ' ','); set -- "${1%% moves *}" ;;
    *) moves= ;;
    esac
    case $1 in
    startpos*) fen=$start ;;
    fen*) fen=${1#fen } ;;
    esac
}

# The answers of each program.
print() {
    case $name in
    stockfish | templechess) answer "$1" '%s: %d\n' '\nNodes searched: %d\n\n' ;;
    blunder) answer "$1" '%s: %d\n' '\nNodes: %d\nTime: 1 ms\n' ;;
    div) if [ "$div" ]; then answer "$1" '%s: %d\n' 'Nodes: %d\n'; else answer "$1" '' 'Nodes: %d\n'; fi ;;
    simple | pos | sd | endless) answer "$1" '%s %d\n' '%d\n' ;;
    zahak) answer "$1" '%s %d\n' '\n%d\n' ;;
    obsidian) if [ "$1" = 1 ]; then answer 1 '' 'nodes: %d\n'; else answer "$1" '%s -> %d\n' 'nodes: %d\n'; fi ;;
    rawr) answer "$1" '%s %d\n' 'nodes %d\n' ;;
    rawr-totals) answer "$1" '' 'nodes %d\n' ;;
    lizard) (sleep 0.03; answer "$1" '%s: %d\n' '\nNodes searched: %d in 0.0012 s (50 mnps)\n') & ;;
    viridithas) answer "$1" '%s: %d\n' 'info depth DEPTH nodes %d time 1 nps 60000\n' ;;
    weiss) answer "$1" '' '\nPerft starting:\nDepth : DEPTH\n\nNodes : %d\nTime  : 1ms\n' ;;
    drofa) answer "$1" '%s: %d\n' '\n=====\nTotal time (ms) : 5\nNodes searched  : %d\nNodes / second  : 12000\n' ;;
    stormphrax) answer "$1" '%s\t%d\n' 'total %d\n60000 nps\n' ;;
    laser) answer "$1" '' 'Perft depth: DEPTH\nNodes: %d\nTime: 0.001\nNodes/second: 60000\n' >&2 ;;
    tcheran) answer "$1" '%s: %d\n' 'total: %d\n' ;;
    noisy) answer "$1" '%s: %d\ne2e4 is good\n' 'Nodes: %d\n' ;;
    split) answer "$1" '%s: %d\n' 'Nodes: %d\n' | (sleep 0.03; grep -v Nodes >&2) & answer "$1" '' 'Nodes: %d\n' ;;
    avalanche) answer "$1" '%s: %d\n' '\nTotal: %d\n' >&2 ;;
    pychess) answer "$1" '%s   %d   99\n' 'DEPTH   %d   0.01   6000.0\n' ;;
    inanis) answer "$1" '%s: %d leafs\n' '\n%d leafs total\nPerft done!\n' ;;
    pedantic) answer "$1" '%s : %d : "some FEN w - - 0 1"\n' 'Total nodes for depth (DEPTH) : %d\n' ;;
    amoeba) answer "$1" '%s              %d\n' 'perft DEPTH: %d leaves const 1.2 us\n' ;;
    depth) answer "$1" '' 'Perft DEPTH: %d\n' ;;
    board | limit | traceback | state | rejects) answer "$1" '' 'nodes: %d\n' ;;
    rows) for row in $(seq "$1"); do sleep 0.05; answer "$row" '' 'DEPTH     %d      0   0.00\n'; done ;;
    currmove) answer "$1" 'info depth 1 currmove %s nodes %d\n' ''; answer "$1" '%s: %d\n' 'Nodes: %d\n' ;;
    progress)
        printf 'counting   5%%\rcounting  %s%%\r' "$1" >&2
        printf 'counting   5%%\rcounting  %s%%\r%s done\b\b\b\b\b\b' "$1" "$1"
        answer "$1" '%s: %d\n' 'Nodes: %d\n' ;;
    bar) head -c 70000 /dev/zero | tr '\0' . >&2; answer "$1" '%s: %d\n' 'Nodes: %d\n' ;;
    behind) answer "$1" '' 'Nodes: %d\n'; answer "$1" '%s: %d\n' '' ;;
    hangs) if [ "$1" = 3 ]; then sleep 1000; fi; answer "$1" '%s: %d\n' 'Nodes: %d\n' ;;
    deeper) answer "$(($1 + 1))" '%s: %d\n' 'Nodes: %d\n' ;;
    wrong) [ "$1" = 1 ] && echo 'Nodes: 19' ;;
    glued | load-fen | divide-fen | go-perft | dashes | letter | custom | fen-word) answer "$1" '%s: %d\n' 'Nodes: %d\n' ;;
    crash) answer "$1" '%s: %d\n' 'nodes: %d\n'; echo 'double free' >&2; exit 134 ;;
    lperft) answer "$1" '%s -> %d\n' '%d nodes in 1.2ms -> 50000 nodes/s\n' ;;
    esac
}

# Programs that have the question in their arguments.
case $name:$1:$2 in
zahak:-perft-tree:*) fen=$3 moves=$(echo "$4" | tr ' ' ','); print "$2"; exit ;;
pedantic:perft:--type) fen=$7; print "$5"; exit ;;
amoeba:perft:-d) fen=$5; print "$3"; exit ;;
templechess:perft:*/*) fen=$2; print "$3"; exit ;;
lperft:--depth:*) fen=$4; print "$2"; exit ;;
dashes:-depth:*) [ "$5" = -divide ] && fen=$4 && print "$2"; exit ;;
fen-word:*:fen) [ "$4" = divide ] && fen=$3 && print "$1"; exit ;;
dashes::) sleep 1000; exit ;;
fen-word:* | dashes:* | zahak:* | pedantic:* | amoeba:* | templechess:* | lperft:*) echo "usage: $name ..." >&2; exit 1 ;;
esac

# A program that asks for each part of a question.
if [ "$name" = menu ]; then
    while printf 'FEN: ' && read -r fen && printf 'Depth: ' && read -r depth; do
        answer "$depth" '' 'Nodes: %d\n'
    done
    exit
fi

# Prints the board with dots for empty squares, and the numbers of the ranks on both sides.
board() {
    echo "${fen%% *}" | tr / '\n' | awk '{
        for (count = 1; count <= 8; count++) { dots = dots ". "; gsub(count, dots) }
        dots = ""
        print 9 - NR, $0, 9 - NR
    }'
}

# The command of each program, in front of the depth.
case $name in
currmove | progress | bar | glued | hangs | deeper | berserk | json | stockfish | simbelmyne | tofiks | obsidian | bbc | koivisto | stash | lizard | rawr-totals)
    command='go perft' ;;
viridithas) command='go perft divide' ;;
rawr) command='go split' ;;
stormphrax) command=splitperft ;;
tcheran) command='d perftdiv' ;;
avalanche) command=perftdiv ;;
simple | endless) command=simpleperft ;;
blunder | inanis) command=dperft ;;
*) command=perft ;;
esac

while read -r line; do
    case $name:$line in
    behind:uci | load-fen:uci | divide-fen:uci | go-perft:uci | letter:uci | wrong:uci) ;;
    behind:fen* | wrong:fen*) fen=${line#fen } ;;
    load-fen:'load fen '*) fen=${line#load fen } ;;
    divide-fen:divide\ [0-9]\ fen*) line=${line#divide }; fen=${line#* fen }; print "${line%% *}" ;;
    endless:perft*div) while :; do echo counting; sleep 0.1; done ;;
    custom:uci | custom:clear) custom= ;;
    custom:custom) custom=1 ;;
    custom:perft\ [0-9]) print "${line##* }" ;;
    custom:*/*) if [ "$custom" ]; then fen=$line; fi ;;
    custom:*) ;;
    letter:p\ [0-9]\ *) line=${line#p }; fen=${line#* }; print "${line%% *}" ;;
    go-perft:position*) set_position "${line#position }" ;;
    go-perft:'go perft '[0-9]) print "${line##* }" ;;
    divide-fen:* | letter:* | go-perft:*) ;;
    behind:isready | behind:position* | load-fen:isready | load-fen:position* | wrong:isready | wrong:position*) ;;
    glued:isready) printf readyok ;;
    blunder:uci | pychess:uci | inanis:uci | pos:uci | sd:uci | pos:position*) ;;
    board:uci | rows:uci | state:uci) ;;
    board:fen*) fen=${line#fen }; board ;;
    state:fen*) fen=${line#fen } ;;
    state:d) echo "Fen: $fen" ;;
    rows:setboard*) fen=${line#setboard } ;;
    board:isready | board:position* | rows:isready | rows:position* | state:isready | state:position*) ;;
    limit:"perft "[7-9]) echo 'ERROR: perft depth must be 1-6' ;;
    rejects:position*' moves '*) echo 'Invalid position' ;;
    traceback:"perft "*)
        case $fen in
        *' '[a-h][36]' '*) printf 'Traceback:\n  File "engine", line 22, in perft\nIndexError\n' >&2; exit 1 ;;
        esac
        print "${line##* }" ;;
    div:"perft "*' div') div=1; line=${line#perft }; print "${line% div}"; div= ;;
    pos:pos\ *) fen=${line#pos } ;;
    sd:setboard*) fen=${line#setboard } ;;
    sd:sd*) depth=${line#sd } ;;
    sd:divide) print "$depth" ;;
    sd:*) ;;
    pychess:protover*) echo 'feature ping=1 setboard=1 myname="PyChess" done=1' ;;
    pychess:ping*) echo "pong ${line#ping }" ;;
    pychess:setboard*) fen=${line#setboard } ;;
    pychess:"perft "[0-9]' 1') line=${line#perft }; print "${line% 1}" ;;
    pychess:*) ;;
    blunder:fen*) fen=${line#fen } ;;
    *:uci) printf 'id name %s\nid author somebody\noption name Hash type spin default 1 min 1 max 9\nuciok\n' "$name" ;;
    *:isready) echo readyok ;;
    *:position*) set_position "${line#position }" ;;
    weiss:"perft "*fen* | inanis:"dperft "*fen*)
        line=${line#* }; depth=${line%% *}; fen=${line#*fen }; print "$depth" ;;
    weiss:"perft "*/*) line=${line#perft }; fen=${line#* }; print "${line%% *}" ;;
    searcher:go*) echo 'info depth 1 seldepth 1 score cp 20 nodes 20 pv e2e4'; echo 'bestmove e2e4' ;;
    *:"$command "[0-9])
        case $name in weiss | inanis | searcher | no-perft) echo "Unknown command: $line" ;; *) print "${line##* }" ;; esac ;;
    *:"go "*) echo 'info depth 1 score cp 20 nodes 20 pv e2e4'; echo 'bestmove e2e4' ;;
    *:quit) exit ;;
    *:setoption* | *:ucinewgame | *:stop) ;;
    *) echo "Unknown command: $line" ;;
    esac
done

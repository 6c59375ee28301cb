# An engine that answers no question, and has children of its own. Its argument is a folder, in which it writes the numbers of its
# processes.
while read -r word rest; do
    case $word in
        uci) echo uciok ;;
        isready) echo readyok ;;
        go)
            echo $$ >"$1/engine"
            sh -c 'echo $$ >"$0/child.new"; mv "$0/child.new" "$0/child"; exec sleep 1000' "$1"
            ;;
    esac
done

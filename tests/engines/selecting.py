"""An engine for tests that waits for its input with select, and reads it with a buffer: selecting.py PERFT uci|console.

Two lines that come together are both in the buffer after the first was read. Then select does not see the second one.
"""

import select
import subprocess
import sys

perft, mode = sys.argv[1:]
fen = ""
while select.select([sys.stdin], [], [], 60)[0]:
    line = sys.stdin.readline()
    words = line.split() or [""]
    if not line or words[0] == "quit":
        break
    if words[0] == ("position" if mode == "uci" else "setboard"):
        fen = " ".join(words[2:8] if mode == "uci" else words[1:7])
    elif words[0] == "uci" and mode == "uci":
        print("id name Selecting\nuciok", flush=True)
    elif words[0] == "isready" and mode == "uci":
        print("readyok", flush=True)
    elif words[:-1] == (["go", "perft"] if mode == "uci" else ["perft"]):
        subprocess.run([perft, "divide", "--fen", fen, "--depth", words[-1]])

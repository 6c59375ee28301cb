"""An engine for tests that waits for its input with select, and reads it with a buffer: selecting.py PERFT uci|console|busy.

The mode "busy" is that of "uci", but it reads without a buffer and never waits. Two lines that come together are both in the buffer after the first was read. Then select does not see the second one.
"""

import select
import subprocess
import sys

perft, mode = sys.argv[1:]
is_uci = mode != "console"
if mode == "busy":
    sys.stdin = open(0, "rb", 0)
fen = ""
while select.select([sys.stdin], [], [], 0 if mode == "busy" else 60)[0] or mode == "busy":
    if mode == "busy" and not select.select([sys.stdin], [], [], 0)[0]:
        continue
    line = sys.stdin.readline()
    line = line.decode() if mode == "busy" else line
    words = line.split() or [""]
    if not line or words[0] == "quit":
        break
    if words[0] == ("position" if is_uci else "setboard"):
        fen = " ".join(words[2:8] if is_uci else words[1:7])
    elif words[0] == "uci" and is_uci:
        print("id name Selecting\nuciok", flush=True)
    elif words[0] == "isready" and is_uci:
        print("readyok", flush=True)
    elif words[:-1] == (["go", "perft"] if is_uci else ["perft"]):
        subprocess.run([perft, "divide", "--fen", fen, "--depth", words[-1]])

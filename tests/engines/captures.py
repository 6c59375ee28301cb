"""A program for tests that reads one question a line: captures.py PERFT. It counts through PERFT, names the captured piece in a capture,
such as Nf6xPe4, and writes castling as 00 and 000.
"""

import json
import subprocess
import sys

perft = sys.argv[1]


def pieces(fen):
    """Returns the letters of the pieces by their squares."""
    squares = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        file = 0
        for letter in row:
            if not letter.isdigit():
                squares["abcdefgh"[file] + rank] = letter.upper()
            file += int(letter) if letter.isdigit() else 1
    return squares


for line in sys.stdin:
    depth, _, fen = line.strip().partition(" ")
    fen, _, moves = fen.partition(" moves ")
    command = [perft, "divide", "--fen", fen, "--depth", depth, "--json"]
    command += ["--moves", moves.replace(" ", ",")] if moves else []
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    board = pieces(answer["position"]["fen"] if not moves else fen)
    for move in answer["moves"]:
        start, end, piece = move["move"][:2], move["move"][2:4], move["move"][4:]
        capture = "x" + board[end] if end in board else ""
        name = board.get(start, "P") + start + capture + end + piece
        if name in ("Ke1g1", "Ke8g8"):
            name = "00"
        if name in ("Ke1c1", "Ke8c8"):
            name = "000"
        print(name, move["nodes"])
    print("\n%d" % answer["nodes"], flush=True)

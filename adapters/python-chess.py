"""Answers perft questions with python-chess. See README.md in this folder.

    pip install chess
    perft hunt --engine 'python3 python-chess.py' --dialect lines
"""

import sys

import chess  # To test your own generator, change this line and the lines marked with "<-".


def perft(board, depth):
    """Counts the leaf nodes below a position."""
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):  # <- the legal moves of a position
        board.push(move)  # <- make a move
        total += perft(board, depth - 1)
        board.pop()  # <- take it back
    return total


def divide(depth, fen, moves):
    """Returns the answer to one question as text."""
    board = chess.Board(fen, chess960=True)  # <- set up a position; Chess960 includes standard chess
    for text in moves:
        board.push_uci(text)  # <- make a move that is given in UCI notation
    counts = {}
    for move in list(board.legal_moves) if depth > 0 else []:
        board.push(move)
        counts[move.uci()] = perft(board, depth - 1)
        board.pop()
    total = sum(counts.values()) if depth > 0 else 1
    return "".join(f"{move} {count}\n" for move, count in counts.items()) + f"\n{total}"


for line in sys.stdin:
    words = line.split()
    try:
        answer = divide(int(words[0]), " ".join(words[1:7]), words[8:])
    except Exception as error:
        answer = f"error {error}"
    print(answer, flush=True)

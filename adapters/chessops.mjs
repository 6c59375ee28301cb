// Answers perft questions with chessops. See README.md in this folder.
//
//     npm install chessops
//     perft hunt --engine 'node chessops.mjs' --dialect lines

import { createInterface } from "node:readline";
// To test your own generator, change these lines and the lines marked with "<-".
import { Chess } from "chessops/chess";
import { perft } from "chessops/debug";
import { parseFen } from "chessops/fen";
import { makeUci, parseUci } from "chessops/util";

const PIECES = ["queen", "rook", "bishop", "knight"];

// The legal moves: a pawn that reaches the last rank promotes to each of four pieces.
function* legalMoves(board) {
  for (const [from, targets] of board.allDests()) {
    const promotes = board.board.pawn.has(from);
    for (const to of targets) {
      if (promotes && (to < 8 || to > 55)) for (const promotion of PIECES) yield { from, to, promotion };
      else yield { from, to };
    }
  }
}

// Returns the answer to one question as text.
function divide(depth, fen, moves) {
  const board = Chess.fromSetup(parseFen(fen).unwrap()).unwrap(); // <- set up a position
  for (const uci of moves) board.play(parseUci(uci)); // <- make a move
  if (depth === 0) return "\n1";
  let [lines, total] = ["", 0];
  for (const move of legalMoves(board)) {
    const after = board.clone();
    after.play(move);
    const count = perft(after, depth - 1); // <- count the leaf nodes below the move
    lines += `${makeUci(move)} ${count}\n`;
    total += count;
  }
  return `${lines}\n${total}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const words = line.split(" ");
  let answer;
  try {
    answer = divide(Number(words[0]), words.slice(1, 7).join(" "), words.slice(8));
  } catch (error) {
    answer = `error ${String(error.message).replaceAll("\n", " ")}`;
  }
  process.stdout.write(answer + "\n");
}

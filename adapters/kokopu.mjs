// Answers perft questions with kokopu. See README.md in this folder.
//
//     npm install kokopu
//     perft hunt --engine 'node kokopu.mjs' --dialect lines

import { createInterface } from "node:readline";
import { Position } from "kokopu"; // To test your own generator, change this line and the lines marked with "<-".

// Counts the leaf nodes below a position.
function perft(board, depth) {
  if (depth === 0) return 1;
  let total = 0;
  for (const move of board.moves()) {
    const after = new Position(board);
    after.play(move); // <- make a move
    total += perft(after, depth - 1);
  }
  return total;
}

// Returns the answer to one question as text.
function divide(depth, fen, moves) {
  const board = new Position("regular", fen); // <- set up a position
  for (const uci of moves) board.play(board.uci(uci)); // <- make a move that is given in UCI notation
  if (depth === 0) return "\n1";
  let [lines, total] = ["", 0];
  for (const move of board.moves()) {
    const after = new Position(board);
    after.play(move);
    const count = perft(after, depth - 1);
    lines += `${board.uci(move)} ${count}\n`;
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

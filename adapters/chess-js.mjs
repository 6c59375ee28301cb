// Answers perft questions with chess.js. See README.md in this folder.
//
//     npm install chess.js
//     perft hunt --engine 'node chess-js.mjs' --dialect lines

import { createInterface } from "node:readline";
import { Chess } from "chess.js"; // To test your own generator, change this line and the lines marked with "<-".

// Returns the answer to one question as text.
function divide(depth, fen, moves) {
  const board = new Chess(fen); // <- set up a position
  const play = (uci) => board.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] }); // <- make a move
  moves.forEach(play);
  if (depth === 0) return "\n1";
  const legal = board.moves({ verbose: true }).map((move) => move.lan); // <- the legal moves in UCI notation
  let [lines, total] = ["", 0];
  for (const uci of legal) {
    play(uci);
    const count = depth > 1 ? board.perft(depth - 1) : 1; // <- count the leaf nodes below the move
    board.undo(); // <- take the move back
    lines += `${uci} ${count}\n`;
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

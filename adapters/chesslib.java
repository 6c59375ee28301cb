// Answers perft questions with chesslib (com.github.bhlangonijr). See README.md in this folder.
//
//     perft hunt --engine 'java -cp chesslib.jar:commons-lang3.jar chesslib.java' --dialect lines

import com.github.bhlangonijr.chesslib.*; // To test your own generator, change these lines and those marked with "<-".
import com.github.bhlangonijr.chesslib.move.*;
import java.io.*;

class ChesslibAdapter {
    /** Counts the leaf nodes below a position. */
    static long perft(Board board, int depth) {
        if (depth == 0) return 1;
        long total = 0;
        for (Move move : board.legalMoves()) { // <- the legal moves of a position
            board.doMove(move); // <- make a move
            total += perft(board, depth - 1);
            board.undoMove(); // <- take it back
        }
        return total;
    }

    /** Returns the answer to one question as text. */
    static String divide(int depth, String fen, String[] moves) {
        Board board = new Board();
        board.loadFromFen(fen); // <- set up a position
        for (String text : moves) board.doMove(new Move(text, board.getSideToMove())); // <- read a move in UCI notation
        if (depth == 0) return "\n1";
        StringBuilder lines = new StringBuilder();
        long total = 0;
        for (Move move : board.legalMoves()) {
            board.doMove(move);
            long count = perft(board, depth - 1);
            board.undoMove();
            lines.append(move).append(' ').append(count).append('\n'); // <- print a move in UCI notation
            total += count;
        }
        return lines + "\n" + total;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            try {
                String[] parts = line.split(" moves "), question = parts[0].split(" ", 2);
                String[] moves = parts.length > 1 ? parts[1].split(" ") : new String[0];
                System.out.println(divide(Integer.parseInt(question[0]), question[1], moves)); // println flushes
            } catch (RuntimeException error) {
                System.out.println("error " + error.getMessage());
            }
        }
    }
}

// Answers perft questions with your own generator in C#. See README.md in this folder.
//
//     mcs -out:adapter.exe skeleton.cs Position.cs
//     perft hunt --engine 'mono adapter.exe' --dialect lines

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

static class Adapter {
    // Change these five functions. Position and Move are the types of your generator.

    /// Sets up a position. A wrong FEN throws an exception.
    static Position FromFen(string fen) => new Position(fen);
    /// Returns the legal moves. If your generator returns pseudo-legal moves, leave out those that lose the king here.
    static List<Move> LegalMoves(Position position) => position.LegalMoves();
    static void Make(Position position, Move move) => position.Make(move);
    static void Unmake(Position position, Move move) => position.Unmake(move);
    /// Returns a move in UCI notation: e2e4, e1g1, a7a8q.
    static string Name(Move move) => move.Uci();

    /// Counts the leaf nodes below a position.
    static ulong Perft(Position position, int depth) {
        if (depth == 0) return 1;
        ulong total = 0;
        foreach (Move move in LegalMoves(position)) {
            Make(position, move);
            total += Perft(position, depth - 1);
            Unmake(position, move);
        }
        return total;
    }

    /// Returns the answer to one question as text.
    static string Divide(int depth, string fen, IEnumerable<string> moves) {
        Position position = FromFen(fen);
        foreach (string text in moves) Make(position, LegalMoves(position).First(move => Name(move) == text));
        if (depth == 0) return "\n1";
        var lines = new StringBuilder();
        ulong total = 0;
        foreach (Move move in LegalMoves(position)) {
            Make(position, move);
            ulong count = Perft(position, depth - 1);
            Unmake(position, move);
            lines.Append(Name(move) + " " + count + "\n");
            total += count;
        }
        return lines + "\n" + total;
    }

    static void Main() {
        for (string line; (line = Console.In.ReadLine()) != null;) {
            string[] words = line.Split(' ');
            try {
                Console.WriteLine(Divide(int.Parse(words[0]), string.Join(" ", words.Skip(1).Take(6)), words.Skip(8)));
            } catch (Exception error) {
                Console.WriteLine("error " + error.Message);
            }
            Console.Out.Flush();
        }
    }
}

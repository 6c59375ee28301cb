// The generator of position.hpp in C#, so that skeleton.cs can be compiled and checked.

using System;
using System.Collections.Generic;

struct Move {
    public int From, To;
    public char Promotion; // 'q', 'r', 'b', 'n' or '\0'

    public string Uci() => Square(From) + Square(To) + (Promotion == '\0' ? "" : Promotion.ToString());

    static string Square(int at) => "" + (char)('a' + at % 10 - 1) + (char)('1' + at / 10 - 2);
}

class Position {
    static readonly Dictionary<char, int[]> Steps = new Dictionary<char, int[]> {
        { 'n', new[] { 21, 19, 12, 8, -8, -12, -19, -21 } },
        { 'b', new[] { 11, 9, -9, -11 } },
        { 'r', new[] { 10, 1, -1, -10 } },
        { 'q', new[] { 11, 10, 9, 1, -1, -9, -10, -11 } },
        { 'k', new[] { 11, 10, 9, 1, -1, -9, -10, -11 } },
    };

    struct State {
        public char[] Board; // '#' is off the board, '.' is empty
        public bool White;
        public string Rights; // the letters of the FEN
        public int EnPassant; // 0 if there is none
    }

    State now;
    readonly Stack<State> before = new Stack<State>();

    public Position(string fen) {
        string[] fields = fen.Split(' ');
        now.Board = new string('#', 120).ToCharArray();
        int rank = 7, file = 0;
        foreach (char c in fields[0]) {
            if (c == '/') { --rank; file = 0; continue; }
            for (int i = char.IsDigit(c) ? c - '0' : 1; i > 0; --i) now.Board[Square(file++, rank)] = char.IsDigit(c) ? '.' : c;
        }
        now.White = fields[1] == "w";
        now.Rights = fields[2];
        now.EnPassant = fields[3] == "-" ? 0 : Square(fields[3][0] - 'a', fields[3][1] - '1');
        if (King(true) < 0 || King(false) < 0) throw new ArgumentException("a king is missing");
    }

    public List<Move> LegalMoves() {
        var legal = new List<Move>();
        bool us = now.White;
        foreach (Move move in PseudoLegalMoves()) {
            Make(move);
            if (!IsAttacked(King(us), !us)) legal.Add(move);
            Unmake(move);
        }
        return legal;
    }

    public void Make(Move move) {
        before.Push(now);
        now.Board = (char[])now.Board.Clone();
        char piece = now.Board[move.From];
        int forward = now.White ? 10 : -10, step = move.To - move.From;
        bool isPawn = char.ToLower(piece) == 'p';
        if (isPawn && move.To == now.EnPassant) now.Board[move.To - forward] = '.';
        if (char.ToLower(piece) == 'k' && Math.Abs(step) == 2) {
            int corner = step > 0 ? move.From + 3 : move.From - 4;
            now.Board[move.From + step / 2] = now.Board[corner];
            now.Board[corner] = '.';
        }
        now.Board[move.From] = '.';
        now.Board[move.To] = move.Promotion == '\0' ? piece : now.White ? char.ToUpper(move.Promotion) : move.Promotion;
        now.EnPassant = isPawn && Math.Abs(step) == 20 ? move.From + forward : 0;
        LoseRights(move.From);
        LoseRights(move.To);
        now.White = !now.White;
    }

    public void Unmake(Move move) => now = before.Pop();

    static int Square(int file, int rank) => 21 + file + 10 * rank;
    bool IsOwn(int at) => char.IsLetter(now.Board[at]) && char.IsUpper(now.Board[at]) == now.White;
    bool IsEnemy(int at) => char.IsLetter(now.Board[at]) && !IsOwn(at);
    int King(bool white) => Array.IndexOf(now.Board, white ? 'K' : 'k');

    void LoseRights(int at) {
        string lost = at == 28 ? "K" : at == 21 ? "Q" : at == 25 ? "KQ" : at == 98 ? "k" : at == 91 ? "q" : at == 95 ? "kq" : "";
        foreach (char letter in lost) now.Rights = now.Rights.Replace(letter.ToString(), "");
    }

    /// Whether a side attacks a square.
    bool IsAttacked(int at, bool byWhite) {
        Func<int, char, bool> isPiece = (from, kind) => now.Board[from] == (byWhite ? char.ToUpper(kind) : kind);
        int forward = byWhite ? 10 : -10;
        if (isPiece(at - forward - 1, 'p') || isPiece(at - forward + 1, 'p')) return true;
        foreach (KeyValuePair<char, int[]> steps in Steps) {
            foreach (int step in steps.Value) {
                int from = at + step;
                while (steps.Key != 'n' && steps.Key != 'k' && now.Board[from] == '.') from += step;
                if (isPiece(from, steps.Key)) return true;
            }
        }
        return false;
    }

    List<Move> PseudoLegalMoves() {
        var moves = new List<Move>();
        for (int from = 21; from < 99; ++from) {
            if (!IsOwn(from)) continue;
            char kind = char.ToLower(now.Board[from]);
            if (kind == 'p') AddPawnMoves(from, moves);
            else AddPieceMoves(from, kind, moves);
        }
        AddCastling(moves);
        return moves;
    }

    void AddPieceMoves(int from, char kind, List<Move> moves) {
        foreach (int step in Steps[kind]) {
            for (int to = from + step; now.Board[to] == '.' || IsEnemy(to); to += step) {
                moves.Add(new Move { From = from, To = to });
                if (kind == 'n' || kind == 'k' || now.Board[to] != '.') break;
            }
        }
    }

    void AddPawnMoves(int from, List<Move> moves) {
        int forward = now.White ? 10 : -10, rank = from / 10 - 2;
        var targets = new List<int>();
        if (now.Board[from + forward] == '.') {
            targets.Add(from + forward);
            if (rank == (now.White ? 1 : 6) && now.Board[from + 2 * forward] == '.') targets.Add(from + 2 * forward);
        }
        foreach (int to in new[] { from + forward - 1, from + forward + 1 })
            if (IsEnemy(to) || to == now.EnPassant) targets.Add(to);
        foreach (int to in targets)
            foreach (char piece in to / 10 - 2 == (now.White ? 7 : 0) ? "qrbn" : "\0")
                moves.Add(new Move { From = from, To = to, Promotion = piece });
    }

    void AddCastling(List<Move> moves) {
        int home = now.White ? 25 : 95;
        Func<char, bool> may = letter => now.Rights.IndexOf(now.White ? char.ToUpper(letter) : letter) >= 0;
        Func<int, int, bool> isFree = (first, count) => new string(now.Board, first, count) == new string('.', count);
        Func<int, bool> isSafe = other => !IsAttacked(home, !now.White) && !IsAttacked(other, !now.White);
        if (may('k') && isFree(home + 1, 2) && isSafe(home + 1)) moves.Add(new Move { From = home, To = home + 2 });
        if (may('q') && isFree(home - 3, 3) && isSafe(home - 1)) moves.Add(new Move { From = home, To = home - 2 });
    }
}

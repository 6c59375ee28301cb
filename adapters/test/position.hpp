// A plain move generator, so that skeleton.cpp can be compiled and checked. It is slow: a mailbox of 120 squares, and every
// move is made to see whether the king is in check afterwards. Standard chess only.
//
// The board is 12 ranks of 10 squares. Two ranks above and below and one file at each side are off the board, so a step that
// leaves the board always ends there:
//
//     110 ..................... 119
//     100 ..................... 109
//      90 # a8 b8 c8 ... g8 h8 # 99
//         ...
//      20 # a1 b1 c1 ... g1 h1 # 29
//      10 ...................... 19
//       0 ...................... 9
#pragma once

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Move {
    int from, to;
    char promotion; // 'q', 'r', 'b', 'n' or 0

    std::string uci() const {
        auto square = [](int at) { return std::string{char('a' + at % 10 - 1), char('1' + at / 10 - 2)}; };
        return square(from) + square(to) + (promotion ? std::string(1, promotion) : "");
    }
};

class Position {
public:
    explicit Position(const std::string& fen) {
        std::istringstream fields(fen);
        std::string placement, side, castling, en_passant;
        if (!(fields >> placement >> side >> castling >> en_passant)) throw std::runtime_error("the FEN is too short");
        now.board.assign(120, '#');
        int rank = 7, file = 0;
        for (char c : placement) {
            if (c == '/') { --rank; file = 0; continue; }
            int count = std::isdigit(c) ? c - '0' : 1;
            if (rank < 0 || file + count > 8) throw std::runtime_error("the board of the FEN is wrong");
            for (int i = 0; i < count; ++i) now.board[square(file++, rank)] = std::isdigit(c) ? '.' : c;
        }
        now.white = side == "w";
        now.rights = castling == "-" ? "" : castling;
        now.en_passant = en_passant == "-" ? 0 : square(en_passant.at(0) - 'a', en_passant.at(1) - '1');
        if (king(true) == 0 || king(false) == 0) throw std::runtime_error("a king is missing");
    }

    std::vector<Move> legal_moves() {
        std::vector<Move> legal;
        for (Move move : pseudo_legal_moves()) {
            bool us = now.white;
            make(move);
            if (!is_attacked(king(us), !us)) legal.push_back(move);
            unmake(move);
        }
        return legal;
    }

    void make(Move move) {
        before.push_back(now);
        char& target = now.board[move.to];
        char piece = now.board[move.from];
        int forward = now.white ? 10 : -10, step = move.to - move.from;
        bool is_pawn = std::tolower(piece) == 'p';
        if (is_pawn && move.to == now.en_passant) now.board[move.to - forward] = '.';
        if (std::tolower(piece) == 'k' && std::abs(step) == 2) {
            int corner = step > 0 ? move.from + 3 : move.from - 4;
            now.board[move.from + step / 2] = now.board[corner];
            now.board[corner] = '.';
        }
        now.board[move.from] = '.';
        target = move.promotion ? (now.white ? char(std::toupper(move.promotion)) : move.promotion) : piece;
        now.en_passant = is_pawn && std::abs(step) == 20 ? move.from + forward : 0;
        for (int at : {move.from, move.to}) lose_rights(at);
        now.white = !now.white;
    }

    void unmake(Move) {
        now = before.back();
        before.pop_back();
    }

private:
    struct State {
        std::vector<char> board;
        bool white;
        std::string rights; // the letters of the FEN
        int en_passant;     // 0 if there is none
    };
    State now;
    std::vector<State> before;

    static int square(int file, int rank) { return 21 + file + 10 * rank; }
    bool is_own(int at) const { return std::isalpha(now.board[at]) && bool(std::isupper(now.board[at])) == now.white; }
    bool is_enemy(int at) const { return std::isalpha(now.board[at]) && !is_own(at); }

    int king(bool white) const {
        for (int at = 21; at < 99; ++at)
            if (now.board[at] == (white ? 'K' : 'k')) return at;
        return 0;
    }

    void lose_rights(int at) {
        for (auto [corner, letter] : {std::pair{28, 'K'}, {21, 'Q'}, {98, 'k'}, {91, 'q'}, {25, 'K'}, {25, 'Q'}, {95, 'k'}, {95, 'q'}})
            if (at == corner && now.rights.find(letter) != std::string::npos) now.rights.erase(now.rights.find(letter), 1);
    }

    static std::vector<int> steps(char kind) {
        switch (kind) {
            case 'n': return {21, 19, 12, 8, -8, -12, -19, -21};
            case 'b': return {11, 9, -9, -11};
            case 'r': return {10, 1, -1, -10};
            default: return {11, 10, 9, 1, -1, -9, -10, -11};
        }
    }

    // Whether a side attacks a square.
    bool is_attacked(int at, bool by_white) const {
        auto is = [&](int from, char kind) { return now.board[from] == (by_white ? std::toupper(kind) : kind); };
        int forward = by_white ? 10 : -10;
        if (is(at - forward - 1, 'p') || is(at - forward + 1, 'p')) return true;
        for (char kind : {'n', 'k', 'b', 'r', 'q'}) {
            for (int step : steps(kind)) {
                int from = at + step;
                while (kind != 'n' && kind != 'k' && now.board[from] == '.') from += step;
                if (is(from, kind)) return true;
            }
        }
        return false;
    }

    std::vector<Move> pseudo_legal_moves() const {
        std::vector<Move> moves;
        for (int from = 21; from < 99; ++from) {
            if (!is_own(from)) continue;
            char kind = char(std::tolower(now.board[from]));
            if (kind == 'p') add_pawn_moves(from, moves);
            else add_piece_moves(from, kind, moves);
        }
        add_castling(moves);
        return moves;
    }

    void add_piece_moves(int from, char kind, std::vector<Move>& moves) const {
        for (int step : steps(kind)) {
            for (int to = from + step; now.board[to] == '.' || is_enemy(to); to += step) {
                moves.push_back({from, to, 0});
                if (kind == 'n' || kind == 'k' || now.board[to] != '.') break;
            }
        }
    }

    void add_pawn_moves(int from, std::vector<Move>& moves) const {
        int forward = now.white ? 10 : -10, rank = from / 10 - 2;
        std::vector<int> targets;
        if (now.board[from + forward] == '.') {
            targets.push_back(from + forward);
            if (rank == (now.white ? 1 : 6) && now.board[from + 2 * forward] == '.') targets.push_back(from + 2 * forward);
        }
        for (int to : {from + forward - 1, from + forward + 1})
            if (is_enemy(to) || (to == now.en_passant && to != 0)) targets.push_back(to);
        for (int to : targets) {
            bool promotes = to / 10 - 2 == (now.white ? 7 : 0);
            for (char piece : promotes ? std::vector<char>{'q', 'r', 'b', 'n'} : std::vector<char>{0}) moves.push_back({from, to, piece});
        }
    }

    void add_castling(std::vector<Move>& moves) const {
        int home = now.white ? 25 : 95;
        auto may = [&](char letter) { return now.rights.find(now.white ? char(std::toupper(letter)) : letter) != std::string::npos; };
        auto is_free = [&](int first, int last) {
            for (int at = first; at <= last; ++at)
                if (now.board[at] != '.') return false;
            return true;
        };
        auto is_safe = [&](int other) { return !is_attacked(home, !now.white) && !is_attacked(other, !now.white); };
        if (may('k') && is_free(home + 1, home + 2) && is_safe(home + 1)) moves.push_back({home, home + 2, 0});
        if (may('q') && is_free(home - 3, home - 1) && is_safe(home - 1)) moves.push_back({home, home - 2, 0});
    }
};

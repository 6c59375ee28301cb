// Answers perft questions with your own generator in C++. See README.md in this folder.
//
//     g++ -O2 -std=c++17 skeleton.cpp -o adapter
//     perft hunt --engine ./adapter --dialect lines

#include <cstdint>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "position.hpp" // Change this line and the five functions below.

// Sets up a position. A wrong FEN throws an exception.
static Position from_fen(const std::string& fen) { return Position(fen); }
// Returns the legal moves. If your generator returns pseudo-legal moves, leave out those that lose the king here.
static std::vector<Move> legal_moves(Position& position) { return position.legal_moves(); }
static void make(Position& position, Move move) { position.make(move); }
static void unmake(Position& position, Move move) { position.unmake(move); }
// Returns a move in UCI notation: e2e4, e1g1, a7a8q.
static std::string name(Move move) { return move.uci(); }

// Counts the leaf nodes below a position.
static std::uint64_t perft(Position& position, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    for (Move move : legal_moves(position)) {
        make(position, move);
        total += perft(position, depth - 1);
        unmake(position, move);
    }
    return total;
}

static void play(Position& position, const std::string& text) {
    for (Move move : legal_moves(position))
        if (name(move) == text) return make(position, move);
    throw std::runtime_error(text + " is not a legal move");
}

// Prints the answer to one question.
static void divide(int depth, const std::string& fen, std::istream& moves) {
    Position position = from_fen(fen);
    for (std::string text; moves >> text;)
        if (text != "moves") play(position, text);
    std::uint64_t total = depth == 0;
    for (Move move : depth == 0 ? std::vector<Move>() : legal_moves(position)) {
        make(position, move);
        std::uint64_t count = perft(position, depth - 1);
        unmake(position, move);
        std::cout << name(move) << ' ' << count << '\n';
        total += count;
    }
    std::cout << '\n' << total << std::endl;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        int depth = 0;
        std::string fen, field;
        words >> depth;
        for (int i = 0; i < 6 && words >> field; ++i) fen += (i ? " " : "") + field;
        try {
            divide(depth, fen, words);
        } catch (const std::exception& error) {
            std::cout << "error " << error.what() << std::endl;
        }
    }
}

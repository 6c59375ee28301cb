// Answers perft questions with github.com/notnil/chess. See README.md in this folder.
//
//	go mod init adapter && go get github.com/notnil/chess && go build -o adapter notnil-chess.go
//	perft hunt --engine ./adapter --dialect lines
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/notnil/chess" // To test your own generator, change this line and those marked with "<-".
)

// perft counts the leaf nodes below a position.
func perft(position *chess.Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	total := uint64(0)
	for _, move := range position.ValidMoves() { // <- the legal moves of a position
		total += perft(position.Update(move), depth-1) // <- the position after a move
	}
	return total
}

// divide returns the answer to one question as text.
func divide(depth int, fen string, moves []string) (string, error) {
	setUp, err := chess.FEN(fen) // <- set up a position
	if err != nil {
		return "", err
	}
	position, notation := chess.NewGame(setUp).Position(), chess.UCINotation{}
	for _, text := range moves {
		move, err := notation.Decode(position, text) // <- read a move in UCI notation
		if err != nil {
			return "", err
		}
		position = position.Update(move)
	}
	if depth == 0 {
		return "\n1", nil
	}
	lines, total := "", uint64(0)
	for _, move := range position.ValidMoves() {
		count := perft(position.Update(move), depth-1)
		lines += fmt.Sprintln(notation.Encode(position, move), count) // <- print a move in UCI notation
		total += count
	}
	return fmt.Sprintf("%s\n%d", lines, total), nil
}

func main() {
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		words := append(strings.Fields(input.Text()), make([]string, 8)...)
		depth, _ := strconv.Atoi(words[0])
		answer, err := divide(depth, strings.Join(words[1:7], " "), strings.Fields(strings.Join(words[8:], " ")))
		if err != nil {
			answer = "error " + err.Error()
		}
		fmt.Println(answer) // os.Stdout has no buffer
	}
}

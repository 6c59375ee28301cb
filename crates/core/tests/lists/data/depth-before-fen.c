static int test(void) {
  check(1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20);
  check(2, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400);
  check(3, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2812);
}

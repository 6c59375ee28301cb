  static final String START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  static final String KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
  void t() {
    assertEquals(20, perft(START, 1));
    assertEquals(400, perft(START, 2));
    assertEquals(48, perft(KIWI, 1));
    assertEquals(8902, perft(START, 3));
  }

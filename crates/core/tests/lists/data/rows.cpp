QTest::newRow("startpos") << "standard" << "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" << 5 << quint64(4865609);
QTest::newRow("kiwi") << "standard" << "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1" << 4 << quint64(4085603);
QTest::newRow("e") << "standard" << "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" << 3 << quint64(2812);

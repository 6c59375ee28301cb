TEST_CASE("Perft start", "[perft]") {
    Board b; b.setFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    REQUIRE(perft(b, 1) == 20);
    CHECK(perft(b, 2) == 400);
    CHECK(b.perft(3) == 8'902);
}
TEST_CASE("Perft default") {
    Board b = Board();
    CHECK(perft(b, 4) == 197281);
}

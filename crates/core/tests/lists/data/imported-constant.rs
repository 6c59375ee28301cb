#[test]
fn a() { let b = Board::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"); assert_eq!(b.perft(1), 20); assert_eq!(b.perft(2), 400); }
#[test]
fn k() { let b = Board::from_fen(KIWIPETE); assert_eq!(b.perft(3), 97862); }

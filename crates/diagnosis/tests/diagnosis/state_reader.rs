//! Reading FENs and keys from the output of programs.

use perft_diagnosis::source::State;

const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 7";

#[test]
fn a_fen_is_found_wherever_it_stands() {
    for line in [
        FEN.to_owned(),
        format!("Fen: {FEN}"),
        format!("FEN:{FEN}"),
        format!("info string fen {FEN}"),
        format!("info string {FEN}"),
        format!("fen=\"{FEN}\""),
        format!("  \"{FEN}\", // the position"),
        format!("position fen {FEN} moves e2e4"),
    ] {
        assert_eq!(State::parse(&line).fen.as_deref(), Some(FEN), "{line}");
    }
    for fields in [4, 5] {
        let short = FEN.split(' ').take(fields).collect::<Vec<_>>().join(" ");
        assert_eq!(State::parse(&format!("fen: {short}")).fen, Some(short));
    }
    let shredder = "8/8/8/8/8/8/8/RK5k w A - 0 1";
    assert_eq!(State::parse(shredder).fen.as_deref(), Some(shredder));
    for line in ["8 r . . . k . . r", "Side: black", "a/b/c/d/e/f/g/h w - - 0 1", "8/8/8/8/8/8/8/8 x - -"] {
        assert!(State::parse(line).is_empty(), "{line}");
    }
}

/// Fairy-Stockfish prints both FENs. The move number of the second one could be confused with the name of a square.
#[test]
fn a_fen_of_shogi_is_none() {
    let other = "Sfen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - 10";
    assert!(State::parse(other).is_empty());
    assert!(State::parse("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - - 1").is_empty());
    for text in [format!("Fen: {FEN}\n{other}"), format!("{other}\nFen: {FEN}")] {
        assert_eq!(State::parse(&text).fen.as_deref(), Some(FEN), "{text}");
    }
}

#[test]
fn a_fen_with_a_label_counts_before_others() {
    let other = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    for text in [
        format!("FEN: {FEN}\n{other}"),
        format!("{other}\nFen: {FEN}\nmirrored {other}"),
        format!("position fen {other}\n{FEN}"),
        format!("position fen {other}\nX-FEN: {FEN}\nposition fen {other}"),
    ] {
        assert_eq!(State::parse(&text).fen.as_deref(), Some(FEN), "{text}");
    }
}

#[test]
fn a_key_is_a_long_number_behind_its_name() {
    for (line, key) in [
        ("Key: 8F8F01D4562F59FB", "8F8F01D4562F59FB"),
        ("Key: 0xdd109bcc3d65ae3d", "0xdd109bcc3d65ae3d"),
        ("     Hash key:  28c8cb1fb0ec03e0", "28c8cb1fb0ec03e0"),
        ("Zobrist Key : 0x6ec333f7d32f9a85", "0x6ec333f7d32f9a85"),
        ("Zobrist Key: 1354320381132970006", "1354320381132970006"),
        ("Hash: 0x6ec333f7d32f9a85", "0x6ec333f7d32f9a85"),
        ("PosKey: 4660057516145235573", "4660057516145235573"),
        ("key=6ec333f7d32f9a85 pawnkey=1ec333f7d32f9a85", "6ec333f7d32f9a85"),
        ("Key (hex): 6ec333f7d32f9a85", "6ec333f7d32f9a85"),
    ] {
        assert_eq!(State::parse(line).key.as_deref(), Some(key), "{line}");
    }
    for line in [
        "PawnKey: 11987948374166809114",
        "Hash size: 64 MB",
        "Hash table is initialied with 27962021 entries",
        "Hash: 16",
        "Nodes searched: 4865609123",
        "Checkers: e4",
    ] {
        assert_eq!(State::parse(line).key, None, "{line}");
    }
}

#[test]
fn the_last_fen_and_the_last_key_count() {
    let echo = format!("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1\n\nFen: {FEN}\nKey: 0123456789ABCDEF\n");
    let state = State::parse(&echo);
    assert_eq!((state.fen.as_deref(), state.key.as_deref()), (Some(FEN), Some("0123456789ABCDEF")));
}

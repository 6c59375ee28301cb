//! Recognises lists of chess variants.

/// Returns what a FEN has that standard chess does not have. `after` is the text behind it.
pub fn variant_of_fen(fen: &str, after: &str) -> Option<String> {
    let board = fen.split([' ', '_']).next().unwrap_or_default();
    let squares = |rank: &str| {
        let empty = rank
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse::<usize>().ok());
        rank.bytes().filter(u8::is_ascii_alphabetic).count() + empty.sum::<usize>()
    };
    let ranks: Vec<usize> = board.split('/').map(squares).collect();
    let (width, height) = (ranks.first().copied()?, ranks.len());
    let is_count_of_checks = |word: &str| {
        let word = word.trim_start_matches('+');
        word.len() == 3
            && word.contains('+')
            && word.bytes().all(|byte| byte == b'+' || byte.is_ascii_digit())
    };
    let white = board.bytes().filter(u8::is_ascii_uppercase).count();
    if board.contains('~')
        || fen.len() == board.len() && after.starts_with('[')
        || (height == 9 && width == 8 && ranks[8] != 8)
    {
        Some("pieces in hand, as in Crazyhouse".to_owned())
    } else if ranks.iter().all(|&rank| rank == width) && width != 8 && width > 3 && height > 3 {
        Some(format!("a board of {width}x{height} squares"))
    } else if fen.split([' ', '_']).chain(after.split_whitespace()).any(is_count_of_checks) {
        Some("a count of checks, as in Three-check".to_owned())
    } else if !board.contains('K') && white > 16 {
        Some(format!("{white} white pieces and no white king, as in Horde"))
    } else {
        None
    }
}

/// Returns a note if the name of a suite contains the name of a variant.
pub fn variant_of_name(name: &str) -> Option<String> {
    let variants = "atomic crazyhouse antichess giveaway suicide horde racing 3check threecheck kingofthehill xiangqi \
                    shogi makruk capablanca";
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    let letters: String = file.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let word = variants.split(' ').find(|word| letters.contains(word))?;
    Some(format!(
        "the name of the file has '{word}' in it; perft counts by the rules of standard chess and Chess960"
    ))
}

//! Programs that print their counts in a given format, and that may count wrong.

use perft_core::{CastlingSide, Move, MoveKind, Piece, Position};
use perft_diagnosis::source::{Answer, Lesson};

/// A position, the moves to play first, and a depth.
pub type Question = (&'static str, &'static str, u32);

const START: &str = perft_core::START_FEN;
const RICH: &str = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2";
const PAWNS: &str = "8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1";

pub const EXAM: [Question; 8] = [
    (START, "", 1),
    (START, "", 3),
    (START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", 2),
    (RICH, "", 1),
    (RICH, "", 3),
    (PAWNS, "", 1),
    (PAWNS, "", 3),
    ("8/8/8/KP5r/7k/8/8/8 w - - 0 1", "", 1),
];

/// Further questions.
pub const LATER: [Question; 3] = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "", 4),
    ("6k1/8/8/2PPP3/r2K4/3PP3/8/8 w - - 0 1", "", 1),
];

/// The mistakes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    None,
    /// Only the counts of the start position are right.
    OtherPositions,
    /// All counts beyond depth 1 are wrong.
    Deep,
    NoCastling,
    /// All counts are wrong.
    Everywhere,
}

/// The counts of a program, for each depth up to the one that was asked for.
#[derive(Clone, Debug)]
pub struct Counted {
    pub position: Position,
    pub depth: u32,
    pub plies: Vec<Vec<(Move, u128)>>,
}

pub fn count((fen, moves, depth): Question, bug: Bug) -> Counted {
    let root = Position::from_fen(fen).unwrap();
    let play = |position: Position, text| position.try_play(position.find_move(text).unwrap()).unwrap();
    let position = moves.split_whitespace().fold(root, play);
    let plies = (1..=depth).map(|depth| {
        let right = position.divide(depth).into_iter().map(|known| (known.played, known.nodes));
        let wrong = match bug {
            Bug::OtherPositions => u128::from(fen != START),
            Bug::Deep => u128::from(depth > 1),
            Bug::Everywhere => 1,
            Bug::None | Bug::NoCastling => 0,
        };
        let moves = right.filter(|(played, _)| bug != Bug::NoCastling || played.kind() != MoveKind::Castling);
        let below = |(played, nodes)| match bug {
            Bug::NoCastling => (played, without_castling(&position.play_legal(played), depth - 1)),
            _ => (played, nodes + wrong),
        };
        moves.map(below).collect()
    });
    Counted { plies: plies.collect(), position, depth }
}

fn without_castling(position: &Position, depth: u32) -> u128 {
    let moves = position.legal_moves().into_iter().filter(|played| played.kind() != MoveKind::Castling);
    match depth {
        0 => 1,
        1 => moves.count() as u128,
        _ => moves.map(|played| without_castling(&position.play_legal(played), depth - 1)).sum(),
    }
}

impl Counted {
    pub fn moves(&self) -> &[(Move, u128)] {
        self.plies.last().unwrap()
    }

    pub fn total(&self) -> u128 {
        self.moves().iter().map(|(_, nodes)| nodes).sum()
    }

    /// Returns the answer in a format. Lines with a move are printed for each move. Lines that start with `?` are
    /// printed beyond depth 1, and lines that start with `*` for each depth. The part of a line between two `~` is
    /// repeated for each move. `grouping` is between groups of three digits.
    pub fn print(&self, format: &str, grouping: &str) -> Vec<String> {
        let lines: Vec<&str> = format.lines().collect();
        let (asked, mut printed) = (self.plies.len(), String::new());
        for block in lines.chunk_by(|one, other| one.starts_with('*') == other.starts_with('*')) {
            for depth in if block[0].starts_with('*') { 1 } else { asked }..=asked {
                for line in block.iter().filter(|line| depth > 1 || !line.starts_with('?')) {
                    let line = line.trim_start_matches(['*', '?']);
                    let is_list = lists_moves(line) && !line.contains('~');
                    let line = if is_list { format!("~{line}\n~") } else { format!("{line}\n") };
                    for (part, text) in line.split('~').enumerate() {
                        let times = if part % 2 == 1 { self.plies[depth - 1].len() } else { 1 };
                        (0..times).for_each(|index| self.fill(text, depth, index, grouping, &mut printed));
                    }
                }
            }
        }
        printed.lines().map(str::to_owned).collect()
    }

    /// Prints a text with each `$` and the sign after it replaced.
    fn fill(&self, text: &str, depth: usize, index: usize, grouping: &str, printed: &mut String) {
        let mut parts = text.split('$');
        *printed += parts.next().unwrap();
        for part in parts {
            *printed += &self.sign(part.chars().next().unwrap(), depth, index, grouping, printed.len());
            *printed += &part[1..];
        }
    }

    fn sign(&self, sign: char, depth: usize, index: usize, grouping: &str, noise: usize) -> String {
        let counts = &self.plies[depth - 1];
        let sum = |counts: &[(Move, u128)]| counts.iter().map(|(_, nodes)| nodes).sum::<u128>();
        let noise = noise * 7919 % 100_003;
        match sign {
            'n' => grouped(counts[index].1, grouping),
            's' => grouped(sum(&counts[..=index]), grouping),
            't' => grouped(sum(counts), grouping),
            'A' => grouped(self.plies[..depth].iter().map(|counts| sum(counts)).sum(), grouping),
            'i' => (index + 1).to_string(),
            'k' => counts.len().to_string(),
            'd' => depth.to_string(),
            'x' => noise.to_string(),
            'T' => match noise % 4 {
                0 => format!("{noise}ns"),
                1 => format!("{}.{} ms", noise % 100, noise % 10),
                2 => format!("{}µs", noise % 1000),
                _ => format!("{} s", noise % 60),
            },
            'f' => self.position.to_string(),
            'c' => self.position.play_legal(counts[index].0).to_string(),
            'b' => self.board(),
            _ => self.written(sign, counts[index].0),
        }
    }

    /// Returns a board with its ranks on both sides.
    fn board(&self) -> String {
        let fen = self.position.to_string();
        let ranks = fen.split([' ', '/']).take(8).zip((1..=8).rev());
        let squares = |rank: &str| -> String {
            let dots =
                |sign: char| sign.to_digit(10).map_or(sign.to_string(), |empty| ".".repeat(empty as usize));
            rank.chars().map(dots).collect::<String>().chars().map(|sign| format!("{sign} ")).collect()
        };
        ranks.map(|(rank, number)| format!("{number} {}{number}\n", squares(rank))).collect()
    }

    /// Returns a move in the notation that a sign stands for.
    fn written(&self, sign: char, played: Move) -> String {
        let (from, to) = (played.from(), played.to());
        let piece = self.position.piece_at(from).unwrap().piece;
        let letter =
            if piece == Piece::Pawn { String::new() } else { piece.letter().to_uppercase().to_string() };
        let promoted = played.kind().promotion().map(|piece| piece.letter().to_string());
        let shown = promoted.as_ref().map(|letter| format!("={}", letter.to_uppercase())).unwrap_or_default();
        let uci = played.to_uci(self.position.castling_notation());
        let castling = (played.kind() == MoveKind::Castling).then(|| CastlingSide::of(from, to));
        let taken = self.position.piece_at(to).filter(|_| castling.is_none());
        let is_capture = taken.is_some() || (piece == Piece::Pawn && from.file() != to.file());
        match (sign, castling) {
            ('a' | 'l', Some(CastlingSide::King)) => "O-O".to_owned(),
            ('a' | 'l', Some(CastlingSide::Queen)) => "O-O-O".to_owned(),
            ('p', Some(CastlingSide::King)) => "00".to_owned(),
            ('p', Some(CastlingSide::Queen)) => "000".to_owned(),
            ('m', _) => uci,
            ('q', _) => uci[..4].to_owned(),
            ('u', _) => from.to_string(),
            ('v', _) => uci[2..].to_owned(),
            ('U', _) => from.to_string().to_uppercase(),
            ('V', _) => uci[2..4].to_uppercase() + &shown,
            ('l', _) => format!("{letter}{from}{}{to}{shown}", if is_capture { "x" } else { "-" }),
            ('p', _) => {
                let taken = taken.map(|taken| format!("x{}", taken.piece.letter().to_uppercase()));
                let letter = piece.letter().to_uppercase();
                format!("{letter}{from}{}{to}{}", taken.unwrap_or_default(), promoted.unwrap_or_default())
            }
            ('a', _) => {
                let origins = [
                    String::new(),
                    from.file().letter().to_string(),
                    from.rank().digit().to_string(),
                    from.to_string(),
                ];
                let capture = if is_capture { "x" } else { "" };
                let mut texts = origins.iter().map(|origin| format!("{letter}{origin}{capture}{to}{shown}"));
                let is_written =
                    |text: &String| !text.starts_with('x') && self.position.find_move(text) == Ok(played);
                texts.find(is_written).unwrap()
            }
            _ => panic!("no sign {sign}"),
        }
    }

    /// Returns the printed answer to this question as a lesson.
    pub fn lesson(&self, lines: Vec<String>) -> Lesson {
        let (position, depth) = (self.position, self.depth);
        Lesson::new(position, depth, position.divide(depth), lines)
    }

    /// Returns what is wrong with an answer that was read.
    pub fn fault(&self, format: &str, answer: &Answer) -> Option<String> {
        let is_printed = |line: &str| lists_moves(line) && (self.depth > 1 || !line.contains('?'));
        let listed = if format.lines().any(is_printed) { self.moves() } else { &[] };
        let is_same = |((text, nodes), (played, printed)): (&(String, u128), &(Move, u128))| {
            let uci = played.to_uci(self.position.castling_notation());
            nodes == printed
                && (uci.starts_with(text.as_str()) || self.position.find_move(text) == Ok(*played))
        };
        if answer.moves.len() != listed.len() || !answer.moves.iter().zip(listed).all(is_same) {
            let read: Vec<_> = answer.moves.iter().take(5).collect();
            return Some(format!("{} moves of {}: {read:?}", answer.moves.len(), listed.len()));
        }
        // A list of one move on one line has no place for a total.
        let is_stated = format.contains("$t") && !(format.contains('~') && listed.len() == 1);
        let is_right = answer.count() == Some(self.total()) && (!is_stated || answer.stated_total.is_some());
        (!is_right).then(|| format!("total {:?}, printed {}", answer.stated_total, self.total()))
    }
}

fn lists_moves(line: &str) -> bool {
    line.contains("$n")
}

fn grouped(number: u128, sign: &str) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let groups = digits.as_bytes()[first..].chunks(3).map(|group| std::str::from_utf8(group).unwrap());
    let groups = Some(&digits[..first]).filter(|start| !start.is_empty()).into_iter().chain(groups);
    groups.collect::<Vec<_>>().join(sign)
}

/// Returns the formats of a section of `formats.txt`.
pub fn formats(section: &str) -> Vec<String> {
    let text =
        include_str!("formats.txt").split("\n## ").find_map(|text| text.strip_prefix(section)).unwrap();
    let signs = [('⏎', "\n"), ('⇥', "\t"), ('␍', "\r"), ('␛', "\u{1b}")];
    let plain =
        |line: &str| signs.iter().fold(line.to_owned(), |line, (sign, plain)| line.replace(*sign, plain));
    text.lines().filter(|line| !line.is_empty()).map(plain).collect()
}

//! Lists in many forms, with one wrong count or none: the wrong count is found, and no right one is called wrong.
//! The forms are in `forms.txt`.

use perft_core::Position;
use perft_core::internals::split_mix_64;
use perft_core::suite::Suite;

/// The number of lists that are read.
const LISTS: u64 = 10_000;

/// Positions with few moves, and a name for each.
const POSITIONS: [(&str, &str); 10] = [
    ("corner", "8/8/8/8/8/8/8/k1K5 w - - 0 1"),
    ("Two kings", "4k3/8/8/8/8/8/8/4K3 b - - 3 17"),
    ("pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ("promotion", "8/2k1P3/8/8/8/8/8/4K3 w - - 0 1"),
    ("Castling 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ("en passant", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1"),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("knights", "8/8/8/8/7n/8/k1K1N3/8 b - - 0 9"),
    ("check", "8/8/8/8/4k3/8/4r3/4K3 w - - 12 40"),
    ("bishops", "8/3b4/8/1k6/8/8/5B2/6K1 w - - 0 1"),
];

/// A position of a list with the counts of some depths.
struct Entry {
    name: &'static str,
    fen: &'static str,
    counts: Vec<(u32, u128)>,
}

impl Entry {
    /// Writes this entry in a form.
    fn print(&self, form: &str) -> String {
        let lines: Vec<&str> = form.split_inclusive('\n').collect();
        let blocks = lines.chunk_by(|one, other| one.starts_with('*') == other.starts_with('*'));
        blocks.map(|block| self.print_block(&block.concat())).collect()
    }

    /// Writes lines of which either all start with `*` or none.
    fn print_block(&self, lines: &str) -> String {
        let is_repeated = lines.starts_with('*');
        let lines = if is_repeated { format!("~{}~~", lines.replace('*', "")) } else { lines.to_owned() };
        let repeated = &self.counts[usize::from(lines.contains("$1"))..];
        let mut printed = String::new();
        for texts in lines.split('~').collect::<Vec<_>>().chunks(3) {
            printed += &self.fill(texts[0], self.counts[0]);
            if let [_, part, joint] = texts {
                let parts: Vec<String> = repeated.iter().map(|count| self.fill(part, *count)).collect();
                printed += &parts.join(joint);
            }
        }
        printed
    }

    /// Returns a text with each `$` and the sign after it replaced.
    fn fill(&self, text: &str, count: (u32, u128)) -> String {
        let mut parts = text.split('$');
        let start = parts.next().unwrap().to_owned();
        let signs = parts.map(|part| part.split_at(1));
        signs.fold(start, |text, (sign, rest)| text + &self.sign(sign, count) + rest)
    }

    fn sign(&self, sign: &str, (depth, nodes): (u32, u128)) -> String {
        match sign {
            "f" => self.fen.to_owned(),
            "e" => self.fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
            "j" => self.fen.replace('/', "\\/"),
            "i" => self.name.to_owned(),
            "w" => self.name.replace(' ', ""),
            "u" => self.name.replace(' ', "_"),
            "d" => depth.to_string(),
            "c" => (depth - 1).to_string(),
            "k" => self.counts.len().to_string(),
            "n" | "1" => nodes.to_string(),
            "h" => (nodes / 3).to_string(),
            "r" => format!("{nodes:>12}"),
            "s" => grouped(nodes, " "),
            "," | "." | "_" => grouped(nodes, sign),
            _ => panic!("no sign {sign}"),
        }
    }
}

fn grouped(nodes: u128, sign: &str) -> String {
    let digits = nodes.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(sign)
}

/// A form of `forms.txt`: its depths, the text before a list, that of a position, and the text after the list.
struct Form<'t> {
    depths: &'t str,
    head: &'t str,
    entry: &'t str,
    tail: &'t str,
}

impl Form<'_> {
    fn parse(text: &str) -> Form<'_> {
        let (depths, lines) = text.split_once('\n').unwrap();
        match lines.split("----\n").collect::<Vec<_>>()[..] {
            [entry] => Form { depths, head: "", entry, tail: "" },
            [head, entry, tail] => Form { depths, head, entry, tail },
            _ => panic!("{text}"),
        }
    }
}

/// Lines between positions that say nothing about counts.
const NOISE: [&str; 5] = ["", "", "// from 2 sources, 2019", "# 5 more positions", ""];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        (split_mix_64(&mut self.0) % end as u64) as usize
    }
}

/// Returns the entries of a list, and the place of the wrong count.
fn entries(form: &Form, known: &[Vec<u128>], random: &mut Random) -> (Vec<Entry>, Option<(usize, u32)>) {
    let first = random.below(POSITIONS.len());
    let number = 3 + random.below(4);
    let mut entries: Vec<Entry> = (first..first + number)
        .map(|index| index % POSITIONS.len())
        .map(|index| {
            let (name, fen) = POSITIONS[index];
            let deepest = 2 + random.below(known[index].len() - 2);
            let all = (1..).zip(known[index][1..=deepest].iter().copied());
            let counts = match form.depths {
                "depths from 1" => all.collect(),
                "one depth" => all.skip(random.below(deepest)).take(1).collect(),
                "any depths" if random.below(2) == 0 => all.collect(),
                "any depths" => all.filter(|_| random.below(4) > 0).collect(),
                depths => panic!("{depths}"),
            };
            Entry { name, fen, counts }
        })
        .collect();
    entries.retain(|entry| !entry.counts.is_empty());
    if random.below(2) == 0 {
        return (entries, None);
    }
    let wrong = random.below(entries.len());
    let at = random.below(entries[wrong].counts.len());
    let (depth, nodes) = entries[wrong].counts[at];
    let changes = [nodes + 1, nodes - 1, nodes + 10, nodes * 2, nodes + 100 + nodes / 7];
    entries[wrong].counts[at].1 = changes[random.below(changes.len())].max(1);
    let is_changed = entries[wrong].counts[at].1 != nodes;
    (entries, is_changed.then_some((wrong, depth)))
}

#[test]
fn a_wrong_count_is_found_in_every_form_and_no_other_one_is_called_wrong() {
    let count = |(_, fen): &(&str, &str)| {
        let position = Position::from_fen(fen).unwrap();
        (0..=3).map(|depth| position.perft(depth)).collect::<Vec<_>>()
    };
    let known: Vec<Vec<u128>> = POSITIONS.iter().map(count).collect();
    let text = include_str!("forms.txt").replace("\\\n", "").replace('⇥', "\t");
    let forms: Vec<Form> = text.split("==== ").skip(1).map(Form::parse).collect();
    let mut random = Random(1);
    let mut failures = Vec::new();
    for index in 0..LISTS {
        let form = &forms[index as usize % forms.len()];
        let (entries, wrong) = entries(form, &known, &mut random);
        let mut text = form.head.to_owned();
        for entry in &entries {
            text += &entry.print(form.entry);
            if form.head.is_empty() {
                text += NOISE[random.below(NOISE.len())];
                text += "\n";
            }
        }
        text += form.tail;
        match random.below(8) {
            0 => text = text.replace('\n', "\r\n"),
            1 => text.insert(0, '\u{feff}'),
            _ => {}
        }
        let verdict = verdict(&text, &entries, &known);
        let expected = Ok(wrong.map(|(entry, depth)| (entries[entry].fen, depth)).into_iter().collect());
        if verdict != expected {
            failures
                .push((index as usize % forms.len(), format!("{text}\n{verdict:?}, expected {expected:?}")));
        }
    }
    let of_form = |form| failures.iter().filter(move |(failed, _)| *failed == form);
    let report = (0..forms.len()).filter_map(|form| {
        let (_, first) = of_form(form).next()?;
        Some(format!("form {form}: {} lists, the first:\n{first}\n", of_form(form).count()))
    });
    assert!(failures.is_empty(), "{}", report.collect::<String>());
}

/// Reads a list and returns its wrong counts. The error says which counts were not read.
fn verdict<'e>(text: &str, entries: &[Entry], known: &[Vec<u128>]) -> Result<Vec<(&'e str, u32)>, String> {
    let suite = Suite::from_text("list", text).map_err(|error| error.to_string())?;
    let board = |fen: &str| fen.split(' ').next().unwrap_or_default().to_owned();
    let mut read = Vec::new();
    let mut wrong = Vec::new();
    for case in &suite.cases {
        let index =
            POSITIONS.iter().position(|(_, fen)| board(fen) == board(&case.fen)).ok_or("another position")?;
        for count in case.expected.iter().filter(|count| count.depth > 0) {
            let (_, fen) = POSITIONS[index];
            read.push((fen, count.depth, count.nodes));
            if known[index].get(count.depth as usize) != Some(&count.nodes) {
                wrong.push((fen, count.depth));
            }
        }
    }
    let written: Vec<_> = entries
        .iter()
        .flat_map(|entry| entry.counts.iter().map(|&(depth, nodes)| (entry.fen, depth, nodes)))
        .collect();
    if read == written {
        Ok(wrong)
    } else {
        Err(format!(
            "read {:?}",
            read.iter()
                .map(|(fen, depth, nodes)| format!("{}:{depth}:{nodes}", &fen[..9]))
                .collect::<Vec<_>>()
        ))
    }
}

//! Lists in many forms, with one wrong count or none: the wrong count is found, and no right one is called wrong.

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
    /// Writes each depth and its count with a function, joined by a text.
    fn each(&self, joint: &str, write: impl Fn(u32, u128) -> String) -> String {
        self.counts.iter().map(|&(depth, nodes)| write(depth, nodes)).collect::<Vec<_>>().join(joint)
    }

    /// Writes the counts alone.
    fn row(&self, joint: &str) -> String {
        self.each(joint, |_, nodes| nodes.to_string())
    }

    fn epd(&self) -> String {
        self.fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }
}

fn grouped(nodes: u128, sign: &str) -> String {
    let digits = nodes.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(sign)
}

/// A form: the text before a list, that of a position, and the text after the list.
struct Form {
    head: &'static str,
    entry: fn(&Entry) -> String,
    tail: &'static str,
    depths: Depths,
}

/// Which depths a form can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depths {
    /// Any.
    Any,
    /// All from depth 1 on.
    FromOne,
    /// One.
    One,
}

use Depths::{Any, FromOne, One};

const fn form(head: &'static str, depths: Depths, entry: fn(&Entry) -> String, tail: &'static str) -> Form {
    Form { head, entry, tail, depths }
}

static FORMS: &[Form] = &[
    form("", Any, |e| format!("{} {}", e.fen, e.each(" ", |d, n| format!(";D{d} {n}"))), ""),
    form("# a list\n\n", Any, |e| format!("{};{};", e.fen, e.each(";", |d, n| format!("D{d} {n}"))), ""),
    form(
        "",
        Any,
        |e| {
            format!(
                "{} {} id \"{}\"; c0 \"2 moves\";",
                e.epd(),
                e.each(" ", |d, n| format!("D{d} {n};")),
                e.name
            )
        },
        "",
    ),
    form(
        "",
        Any,
        |e| {
            format!(
                "{} ;hmvc 0 ;ce 12 ;bm Kd2 {}",
                e.epd(),
                e.each(" ", |d, n| format!(";D{d} {}", grouped(n, ",")))
            )
        },
        "",
    ),
    form("", Any, |e| format!("{}\t{}", e.fen, e.each("\t", |d, n| format!("D{d}\t{n}"))), ""),
    form(
        "# kings\n",
        Any,
        |e| format!("id {}\nepd {}\n{}\n", e.name, e.epd(), e.each("\n", |d, n| format!("perft {d} {n}"))),
        "",
    ),
    form("", FromOne, |e| format!("{},{}", e.fen, e.row(",")), ""),
    form("", FromOne, |e| format!("{}, {}, {}", e.name, e.epd(), e.row(", ")), ""),
    form("", FromOne, |e| format!("{};{}", e.fen, e.each(";", |_, n| grouped(n, "."))), ""),
    form("", FromOne, |e| format!("{} 1 {}", e.fen, e.row(" ")), ""),
    form("", Any, |e| format!("{}; {}", e.fen, e.each("; ", |d, n| format!("{d}; {n}"))), ""),
    form("", Any, |e| format!("{}: {}", e.fen, e.each(", ", |d, n| format!("{d}: {n}"))), ""),
    form(
        "fen,depth,nodes,captures,time\n",
        Any,
        |e| e.each("\n", |d, n| format!("{},{d},{n},{},0.0{d}", e.fen, d - 1)),
        "",
    ),
    form(
        "name;d1;fen;d2;d3\n",
        FromOne,
        |e| {
            format!(
                "{};{};{};{}",
                e.name,
                e.counts[0].1,
                e.fen,
                e.row(";").split_once(';').map_or("", |(_, rest)| rest)
            )
        },
        "",
    ),
    form(
        "| Name | FEN | Depth | Nodes |\n|:--|:--|--:|--:|\n",
        One,
        |e| {
            format!(
                "| {} | `{}` | {} |",
                e.name,
                e.fen,
                e.each("", |d, n| format!("{d} | {}", grouped(n, ",")))
            )
        },
        "",
    ),
    form(
        "# Results\n",
        Any,
        |e| {
            format!(
                "\n## {}\n\n`{}`\n\n| Depth | Nodes | Captures | E.p. | Checks |\n|---|---|---|---|---|\n{}",
                e.name,
                e.fen,
                e.each("\n", |d, n| format!("| {d} | {} | {} | 0 | 0 |", grouped(n, " "), d - 1))
            )
        },
        "\n\nSource: 3 programs.\n",
    ),
    form(
        "",
        Any,
        |e| {
            format!(
                "{}:\n{}\nDepth  Nodes  Captures\n{}\n",
                e.name,
                e.fen,
                e.each("\n", |d, n| format!("{d}  {n}  {}", n / 3))
            )
        },
        "",
    ),
    form(
        "",
        Any,
        |e| format!("{}\n{}", e.fen, e.each("\n", |d, n| format!("perft( {d})= {n:>12} ( 0.00{d} sec)"))),
        "",
    ),
    form(
        "",
        Any,
        |e| {
            format!(
                "position fen {}\n{}\n",
                e.fen,
                e.each("\n", |d, n| format!("go perft {d}\n\nNodes searched: {n}\nTime: 1{d} ms"))
            )
        },
        "",
    ),
    form(
        "[",
        Any,
        |e| {
            format!(
                "{{\"name\": \"{}\", \"fen\": \"{}\", \"perft\": {{{}}}, \"line\": 7}},",
                e.name,
                e.fen,
                e.each(", ", |d, n| format!("\"{d}\": {n}"))
            )
        },
        "{}]",
    ),
    form(
        "[\n",
        One,
        |e| {
            format!(
                "  {{\n    \"depth\": {},\n    \"fen\": \"{}\"\n  }},",
                e.each("", |d, n| format!("{d},\n    \"nodes\": {n}")),
                e.fen
            )
        },
        "  {}\n]\n",
    ),
    form(
        "{\"positions\":[",
        Any,
        |e| {
            format!(
                "{{\"epd\":\"{}\",\"results\":[{}]}},",
                e.fen.replace('/', "\\/"),
                e.each(",", |d, n| format!("{{\"depth\":{d},\"nodes\":{n},\"captures\":{}}}", d - 1))
            )
        },
        "{}]}",
    ),
    form("{", FromOne, |e| format!("\"{}\": [{}],", e.fen, e.row(", ")), "\"end\": []}"),
    form(
        "CASES = [\n    # fen, depth, nodes\n",
        Any,
        |e| e.each("\n", |d, n| format!("    (\"{}\", {d}, {}),", e.fen, grouped(n, "_"))),
        "]\n\ndef test():\n    for fen, depth, nodes in CASES:\n        assert perft(fen, depth) == nodes\n",
    ),
    form(
        "static const Test tests[] = {\n",
        FromOne,
        |e| {
            format!(
                "    {{ \"{}\", {{ {} }} }}, // {}",
                e.fen,
                e.each(", ", |_, n| format!("{n}ULL")),
                e.name
            )
        },
        "};\n",
    ),
    form(
        "#[cfg(test)]\nmod tests {\n    use super::*;\n",
        Any,
        |e| {
            format!(
                "    #[test]\n    fn {}() {{\n        let mut board = Board::from_fen(\"{}\").unwrap();\n{}\n    }}\n",
                e.name.replace(' ', "_"),
                e.fen,
                e.each("\n", |d, n| format!(
                    "        assert_eq!(perft(&mut board, {d}), {}_u64);",
                    grouped(n, "_")
                ))
            )
        },
        "}\n",
    ),
    form(
        "class PerftTest {\n",
        Any,
        |e| {
            format!(
                "  @Test void perft{}() {{\n    Board board = Fen.parse(\"{}\");\n{}\n  }}",
                e.name.replace(' ', ""),
                e.fen,
                e.each("\n", |d, n| format!("    assertEquals({n}L, board.perft({d}));"))
            )
        },
        "}\n",
    ),
    form(
        "",
        Any,
        |e| {
            format!(
                "  it('{}', () => {{\n    const board = load('{}')\n{}\n  }})",
                e.name,
                e.fen,
                e.each("\n", |d, n| format!("    expect(perft(board, {d})).toBe({n})"))
            )
        },
        "",
    ),
    form(
        "var cases = []struct {\n\tname string\n\tfen string\n\tdepth int\n\twant uint64\n}{\n",
        One,
        |e| {
            format!(
                "\t{{name: \"{}\", fen: \"{}\", {}}},",
                e.name,
                e.fen,
                e.each("", |d, n| format!("depth: {d}, want: {n}"))
            )
        },
        "}\n",
    ),
    form("", One, |e| e.each("", |d, n| format!("  check({d}, \"{}\", {n});", e.fen)), ""),
    form(
        "",
        Any,
        |e| {
            format!(
                "- name: {}\n  fen: {}\n  depths:\n{}",
                e.name,
                e.fen,
                e.each("\n", |d, n| format!("    - depth: {d}\n      nodes: {n}"))
            )
        },
        "",
    ),
    form(
        "",
        FromOne,
        |e| format!("[[position]]\nname = \"{}\"\nfen = \"{}\"\ncounts = [{}]\n", e.name, e.fen, e.row(", ")),
        "",
    ),
    form(
        "",
        FromOne,
        |e| {
            format!(
                "{{ .name = \"{}\", .fen = \"{}\",\n  .depth = {},\n  .expected = {{ {} }} }},",
                e.name,
                e.fen,
                e.counts.len(),
                e.row(", ")
            )
        },
        "",
    ),
    form(
        "",
        Any,
        |e| {
            format!(
                "<position fen=\"{}\">\n{}\n</position>",
                e.fen,
                e.each("\n", |d, n| format!("  <depth>{d}</depth><nodes>{n}</nodes>"))
            )
        },
        "",
    ),
    form(
        "",
        FromOne,
        |e| {
            format!(
                "fen: \"{}\",\ndepth: vec![{}],\nnodes: vec![{}],",
                e.fen,
                e.each(", ", |d, _| d.to_string()),
                e.row(", ")
            )
        },
        "",
    ),
    form("", One, |e| format!("perft_case!(\"{}\", {});", e.fen, e.each("", |d, n| format!("{d}, {n}"))), ""),
    form(
        "",
        One,
        |e| format!("[TestCase(\"{}\", {})]", e.fen, e.each("", |d, n| format!("{d}, {n}UL"))),
        "public void Perft(string fen, int depth, ulong nodes) {}\n",
    ),
];

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
                FromOne => all.collect(),
                One => all.skip(random.below(deepest)).take(1).collect(),
                Any if random.below(2) == 0 => all.collect(),
                Any => all.filter(|_| random.below(4) > 0).collect(),
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
    let mut random = Random(1);
    let mut failures = Vec::new();
    for index in 0..LISTS {
        let form = &FORMS[index as usize % FORMS.len()];
        let (entries, wrong) = entries(form, &known, &mut random);
        let mut text = form.head.to_owned();
        for entry in &entries {
            text += &((form.entry)(entry) + "\n");
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
                .push((index as usize % FORMS.len(), format!("{text}\n{verdict:?}, expected {expected:?}")));
        }
    }
    let of_form = |form| failures.iter().filter(move |(failed, _)| *failed == form);
    let report = (0..FORMS.len()).filter_map(|form| {
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

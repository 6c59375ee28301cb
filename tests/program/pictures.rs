//! Checks that the pictures of the README and the book are what the program and the libraries draw.
//!
//! `PERFT_WRITE=1 cargo test --test program pictures` writes them again.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};
use perft_core::{Position, Setup};
use perft_diagnosis::{ArrowKind, Drawing, MovePath, WrongMove, explain};
use perft_testing::programs::example;
use serde_json::Value;

/// The kinds of bugs in the book: the name of the picture, the position, the moves from there, and the wrong move.
const BUGS: [[&str; 4]; 12] = [
    ["castling-in-check", "4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1", "", "e8g8"],
    ["castling-through-check", "4k3/8/8/8/6b1/8/8/R3K3 w Q - 0 1", "", "e1c1"],
    ["castling-blocked", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "", "e1c1"],
    ["castling-right", "r3k3/8/8/8/8/8/6B1/4K3 w q - 0 1", "g2a8", "e8c8"],
    ["en-passant", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6"],
    ["en-passant-rank", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "", "e5d6"],
    ["pinned-piece", "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "d2e4"],
    ["pinned-moves", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "", "e2e5"],
    ["double-check", "4k3/4r3/8/8/1b6/8/8/1R2K3 w - - 0 1", "", "b1b4"],
    ["king-along-line", "4k3/4r3/8/8/8/8/4K3/8 w - - 0 1", "", "e2e1"],
    ["king-takes-protected", "4k3/8/8/8/8/2b5/3n4/4K3 w - - 0 1", "", "e1d2"],
    ["promotion", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "a7b8n"],
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a picture with its file, or writes the file.
fn check(name: &str, picture: &str) {
    let file = root().join("docs/src/pictures").join(name);
    if std::env::var_os("PERFT_WRITE").is_some() {
        fs::write(&file, picture).unwrap();
    }
    let shown = fs::read_to_string(&file).unwrap_or_default();
    assert!(shown == picture, "{} is not what is drawn; PERFT_WRITE=1 writes it again", file.display());
}

/// Returns the drawing of a kind of bug, and its sentence.
fn drawing_of([_, fen, moves, wrong]: [&str; 4]) -> (Drawing, String) {
    let mut path = MovePath::new(Position::from_fen(fen).unwrap());
    for text in moves.split_whitespace() {
        path = path.played(path.end.find_move(text).unwrap());
    }
    let mut drawing = Drawing::of_path(&path);
    let why = explain(&path.end, wrong);
    let sentence = why.text.clone();
    drawing.add_wrong_move(&path.end, &WrongMove { text: wrong.to_owned(), is_missing: why.is_legal, why });
    (drawing, sentence)
}

#[test]
fn boards_of_the_book_are_drawn_and_have_their_sentences() {
    let chapter = fs::read_to_string(root().join("docs/src/kinds-of-bugs.md")).unwrap();
    for bug in BUGS {
        let (drawing, sentence) = drawing_of(bug);
        check(&format!("{}.svg", bug[0]), &drawing.to_svg(&sentence));
        let shown = format!("<img src=\"pictures/{}.svg\" alt=\"\">\n<figcaption>{sentence}", bug[0]);
        assert!(chapter.contains(&shown), "{shown}");
    }
    let setup: Setup = "3r2k1/5pp1/8/p7/1P1N4/1B6/8/7K w - - 0 1".parse().unwrap();
    let mut node = Drawing::new(&setup);
    let position = Position::try_from(&setup).unwrap();
    for exception in ["d4e6", "b3f7"] {
        node.add_move(&position, exception, ArrowKind::Counted);
    }
    check(
        "one-node.svg",
        &node.to_svg("The position, with the two moves that are exceptions: d4e6 and b3f7"),
    );
}

/// Foreground, background and colours of a terminal. The colours are black, red, green, yellow, blue, magenta, cyan and
/// white, first for text and then for squares.
const THEMES: [(&str, [u32; 18]); 2] = [
    (
        "light",
        [
            0x1b1f24, 0xf6f8fa, 0x1b1f24, 0xb3261e, 0x1a6b34, 0x8a5a00, 0x1d5f8a, 0x7b2fbf, 0x0b6e75,
            0xc4ccd4, 0x57606a, 0xff8a80, 0x7fd396, 0xf2c55c, 0x9cc3de, 0xd3a4f5, 0x7fd4dc, 0xffffff,
        ],
    ),
    (
        "dark",
        [
            0xe4e8eb, 0x14171a, 0x14171a, 0xff9a90, 0x7fd396, 0xf2c55c, 0x7fc0ea, 0xd3a4f5, 0x7fd4dc,
            0xa0abb5, 0x75818c, 0xff8a80, 0x7fd396, 0xf2c55c, 0x9cc3de, 0xd3a4f5, 0x7fd4dc, 0xffffff,
        ],
    ),
];

/// The command in the picture of the README, and the last line that is shown of its output.
const HUNT: [&str; 2] = ["perft hunt ./my-engine --max-nodes 5k", "cause "];

/// The width of the terminal in the picture of the README, in columns. It can be read on a phone.
const COLUMNS: &str = "58";

#[test]
fn the_picture_of_the_readme_is_a_hunt() {
    let folder = tempfile::tempdir().unwrap();
    symlink(example("my-engine"), folder.path().join("my-engine")).unwrap();
    let words: Vec<&str> = HUNT[0].split(' ').skip(1).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(words)
        .args(["--color", "always"])
        .env("COLUMNS", COLUMNS)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(!printed.contains("\\x1b"), "a style was shown as text:\n{printed}");
    let is_last = |line: &str| anstream::adapter::strip_str(line).to_string().starts_with(HUNT[1]);
    let cause = printed.lines().position(is_last).expect("the hunt names a cause");
    // The sentence may go on in lines that begin with blanks.
    let more = printed.lines().skip(cause + 1).take_while(|line| line.starts_with(' '));
    let shown: Vec<&str> = printed.lines().take(cause + 1).chain(more).collect();
    let text = format!("$ {}\n{}", HUNT[0], shown.join("\n"));
    for (theme, colors) in THEMES {
        check(&format!("hunt-{theme}.svg"), &terminal(&text, colors));
    }
}

/// Returns a terminal with a text as an image that can be scaled.
fn terminal(text: &str, colors: [u32; 18]) -> String {
    let rgb = |color: u32| {
        let [_, red, green, blue] = color.to_be_bytes();
        RgbColor(red, green, blue)
    };
    let palette = Palette(std::array::from_fn(|index| rgb(colors[index + 2])));
    let [front, back] = [colors[0], colors[1]].map(|color| rgb(color).into());
    let svg = Term::new().min_width_px(0).palette(palette).fg_color(front).bg_color(back).render_svg(text);
    let size = |name: &str| {
        let (_, rest) = svg.split_once(&format!("{name}=\"")).unwrap();
        rest.split_once("px").unwrap().0.to_owned()
    };
    let view = format!("<svg viewBox=\"0 0 {} {}\" ", size("width"), size("height"));
    // The colour of a square is a letter that may be lower than a line.
    let svg = svg.replacen("  </style>", "    [class^=\"bg-\"] { stroke-width: 2.5px }\n  </style>", 1);
    svg.replacen("<svg ", &view, 1)
}

#[test]
fn the_chart_and_the_table_of_speeds_have_the_same_figures() {
    let file = fs::read_to_string(root().join("docs/src/speeds.json")).unwrap();
    let speeds: Value = serde_json::from_str(&file).unwrap();
    let methodology = fs::read_to_string(root().join("docs/src/methodology.md")).unwrap();
    let mut shown: Vec<(String, f64)> = Vec::new();
    for program in speeds["programs"].as_array().unwrap() {
        let name = program["name"].as_str().unwrap();
        let build = program["build"].as_str().unwrap();
        let of = |value: &Value| value.as_f64().map_or("-".to_owned(), |value| value.to_string());
        let cells: Vec<String> = program["speeds"].as_array().unwrap().iter().map(of).collect();
        let slower = of(&program["times_slower"]);
        let row = format!("| {name} | {build} | in bulk | {} | {slower} |", cells.join(" | "));
        assert!(methodology.contains(&row), "{row}");
        shown.push((name.to_owned(), program["speeds"][0].as_f64().unwrap()));
    }
    shown.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let chart = bars(&shown, "Million leaf nodes per second of the start position at depth 6, on one thread");
    for (theme, color) in [("light", "#1b1f24"), ("dark", "#e4e8eb")] {
        check(&format!("speed-{theme}.svg"), &chart.replace("currentColor", color));
    }
}

/// Returns a chart of bars that begin at 0, the longest one first, for people who cannot see it with a description.
fn bars(shown: &[(String, f64)], description: &str) -> String {
    let (row, longest) = (32.0, shown[0].1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 370 {}\" role=\"img\" aria-label=\"{description}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"currentColor\">\n",
        row * shown.len() as f64
    );
    for (index, (name, value)) in shown.iter().enumerate() {
        let (top, width) = (row * index as f64, 370.0 * value / longest);
        let colour = if name.starts_with("perft") { "#2b83c8" } else { "#d9600a" };
        svg += &format!(
            "<text x=\"0\" y=\"{0}\" font-weight=\"bold\">{name}</text>\
             <text x=\"370\" y=\"{0}\" text-anchor=\"end\">{value:.0}</text>\
             <rect class=\"bar\" y=\"{1}\" width=\"{width:.1}\" height=\"11\" rx=\"2\" fill=\"{colour}\"/>\n",
            top + 12.0,
            top + 16.0
        );
    }
    svg + "</svg>\n"
}

/// Every picture is one that a document shows.
#[test]
fn every_picture_is_shown() {
    let chapters = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let documents: String = chapters
        .chain([root().join("README.md")])
        .map(|path: PathBuf| fs::read_to_string(path).unwrap())
        .collect();
    for entry in fs::read_dir(root().join("docs/src/pictures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(documents.contains(&format!("pictures/{name}")), "no document shows {name}");
    }
}

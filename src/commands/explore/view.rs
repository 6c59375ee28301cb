//! Draws the state.
//!
//! ```text
//!   perft explore  depth 4                   the depth, the total and the engine
//!   the FEN, on two lines if it is long
//!   the moves from the root
//!
//!   board                list of moves       counts, the engine's beside them, the difference
//!   side to move         total
//!   a message, or how far the counts have come
//!   the most important keys
//! ```
//!
//! Each color has a character with the same meaning. All text is ASCII, like FEN and UCI. A number is never cut off. In
//! a narrow window the numbers first lose their commas, then the column of differences is left out. If the window is
//! narrower than the board and the list together, the board stands above the list. Its squares are as large as the window
//! allows. They have the colours of the boards of other commands.

use perft_core::{Color as Side, ColoredPiece, File, Rank, Square};
use perft_diagnosis::Drawing;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Scrollbar, ScrollbarOrientation, ScrollbarState};

use super::state::{Level, Reply, Row, RowStatus, State};
use crate::output::marks::{BLACK, mark_color, square_colors};
use crate::output::{Digits, Table, agreeing, grouped, number_of};

/// The size of the smallest window that everything fits into.
const MIN_WIDTH: u16 = 40;
const MIN_HEIGHT: u16 = 16;

/// The width from which the list stands beside the board.
const BESIDE_WIDTH: u16 = 60;

/// The keys, in the longest form that fits.
const KEYS: [&str; 2] = [
    "?: help  q: quit  Enter: play  Backspace: back  +/-: depth  n: difference",
    "?: help  q: quit  Enter: play",
];

const HELP: &str = "\
up, down, ... select a move
right, Enter  play it, one ply deeper
left, Backsp. take it back
+, -          change the depth
n, s          next, sort by difference
m             type a move, and Enter
w             why it is legal or not
f             flip the board
y             print its FEN at the end
q, Esc        quit

! the counts differ (engine - perft)
- missing: only perft has the move
+ extra: only the engine has it";

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// Whether to use colors.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// If false, text is only bold or reversed.
    pub is_colored: bool,
}

impl Palette {
    fn paint(self, color: Color) -> Style {
        if self.is_colored { BOLD.fg(color) } else { BOLD }
    }

    /// Returns the style of a row. A missing move is green, an extra one is red, and a wrong count is yellow, as in the
    /// other commands. A selected row has black letters on the light form of its color.
    fn row_style(self, status: RowStatus, is_selected: bool) -> Style {
        let (color, light) = match status {
            RowStatus::Pending | RowStatus::Equal => return Style::new().add_modifier(reversed(is_selected)),
            RowStatus::Different => (Color::Yellow, Color::LightYellow),
            RowStatus::OnlyOurs => (Color::Green, Color::LightGreen),
            RowStatus::OnlyTheirs => (Color::Red, Color::LightRed),
        };
        match is_selected {
            true if self.is_colored => Style::new().fg(Color::Indexed(BLACK)).bg(light),
            _ => self.paint(color).add_modifier(reversed(is_selected)),
        }
    }

    fn square_style(self, drawing: &Drawing, square: Square) -> Style {
        let piece = drawing.board[square.index()];
        let is_white = piece.is_some_and(|piece| piece.color == Side::White);
        let style = Style::new().add_modifier(if is_white { Modifier::BOLD } else { Modifier::empty() });
        if !self.is_colored {
            return style.add_modifier(reversed(mark_color(drawing, square).is_some()));
        }
        let [front, back] = square_colors(drawing, square).map(Color::Indexed);
        style.fg(front).bg(back)
    }
}

const fn reversed(is_reversed: bool) -> Modifier {
    if is_reversed { Modifier::REVERSED } else { Modifier::empty() }
}

/// The areas of the window.
struct Places {
    title: Rect,
    fen: Rect,
    path: Rect,
    board: Rect,
    list: Rect,
    status: Rect,
    keys: Rect,
    /// The lines of a square. It has twice as many columns.
    square: u16,
}

impl Places {
    fn new(state: &State, area: Rect) -> Places {
        let fen = state.level().position.to_string();
        let fen_lines = if fen.len() > usize::from(area.width) { 2 } else { 1 };
        let status_lines = textwrap::wrap(&status(state).0, usize::from(area.width)).len() as u16;
        let lines = [1, fen_lines, 1, 1].map(Constraint::Length).into_iter();
        let lines =
            lines.chain([Constraint::Min(0), Constraint::Length(status_lines), Constraint::Length(1)]);
        let [title, fen, path, _, body, status, keys] = Layout::vertical(lines).areas(area);
        // The list keeps all its columns beside a board with larger squares.
        let list_width =
            table(state.level(), state.engine.is_some(), u16::MAX).map_or(0, |table| width(&table));
        let fits = |&lines: &u16| {
            board_width(lines).saturating_add(list_width) <= body.width && board_height(lines) <= body.height
        };
        let square = [3, 2].into_iter().find(fits).unwrap_or(1);
        let [board, list] = if area.width >= BESIDE_WIDTH {
            Layout::horizontal([Constraint::Length(board_width(square)), Constraint::Min(0)]).areas(body)
        } else {
            // Where there is no room for both, the list is more important.
            let height = if body.height >= board_height(square) + 6 { board_height(square) } else { 0 };
            Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(body)
        };
        Places { title, fen, path, board, list, status, keys, square }
    }

    /// Returns the number of moves that fit between the header and the total.
    fn rows(&self) -> usize {
        usize::from(self.list.height.saturating_sub(2)).max(1)
    }
}

pub fn page(state: &State, area: Rect) -> usize {
    Places::new(state, area).rows()
}

pub fn draw(state: &State, palette: Palette, frame: &mut Frame) {
    let area = frame.area();
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        let text = format!("The window is too small; it needs {MIN_WIDTH}x{MIN_HEIGHT}.\nq: quit");
        return frame.render_widget(Paragraph::new(text), area);
    }
    let fen = state.level().position.to_string();
    let places = Places::new(state, area);
    frame.render_widget(title(state, places.title.width), places.title);
    frame.render_widget(folded(&fen, places.fen.width), places.fen);
    frame.render_widget(path(&state.path(), places.path.width), places.path);
    frame.render_widget(board(state, palette, places.square), places.board);
    draw_list(state, palette, &places, frame);
    let (text, color) = status(state);
    let lines = textwrap::wrap(&text, usize::from(places.status.width)).into_iter().map(Line::from);
    let style = color.map_or_else(Style::new, |color| palette.paint(color));
    frame.render_widget(Text::from_iter(lines).style(style), places.status);
    let fits = |keys: &&str| keys.len() <= usize::from(area.width);
    let keys = KEYS.into_iter().find(fits).unwrap_or_default();
    frame.render_widget(Line::from(keys).style(Style::new().add_modifier(Modifier::DIM)), places.keys);
    if state.shows_help {
        draw_help(area, frame);
    }
}

fn title(state: &State, width: u16) -> Line<'static> {
    let level = state.level();
    let so_far = if level.is_counted() { "" } else { " so far" };
    let total = number_of(level.our_total(), "node");
    let engine = state.engine.as_ref().map_or_else(String::new, |name| format!("  beside {name}"));
    let name = "perft explore";
    let counts = format!("  depth {}  {total}{so_far}", level.depth);
    // A name that does not fit is left out.
    let has_room = name.len() + counts.len() + engine.len() <= usize::from(width);
    let engine = if has_room { engine } else { String::new() };
    Line::from(vec![Span::styled(name, BOLD), Span::raw(counts + &engine)])
}

fn folded(text: &str, width: u16) -> Text<'_> {
    let (first, rest) = text.split_at(text.len().min(usize::from(width)));
    if rest.is_empty() { Text::from(first) } else { Text::from(vec![first.into(), rest.into()]) }
}

/// Returns the moves from the root; a long path only shows its last moves.
fn path(moves: &[&str], width: u16) -> Line<'static> {
    let text = if moves.is_empty() { "none".to_owned() } else { moves.join(" ") };
    let room = usize::from(width).saturating_sub("moves: ... ".len());
    let hidden = text.len().saturating_sub(room);
    if hidden == 0 {
        return Line::from(format!("moves: {text}"));
    }
    let begin = text[hidden..].find(' ').map_or(hidden, |space| hidden + space + 1);
    Line::from(format!("moves: ... {}", &text[begin..]))
}

/// Returns the columns of the board and of the blanks beside it, if its squares have this number of lines.
const fn board_width(square: u16) -> u16 {
    16 * square + 5
}

const fn board_height(square: u16) -> u16 {
    8 * square + 2
}

fn board(state: &State, palette: Palette, square_lines: u16) -> Text<'static> {
    let drawing = state.drawing();
    let (mut ranks, mut files) = (Rank::ALL.to_vec(), File::ALL.to_vec());
    if state.is_flipped {
        files.reverse()
    } else {
        ranks.reverse()
    }
    let mut lines = Vec::new();
    let middle = (square_lines - 1) / 2;
    let [left, right] = [square_lines - 1, square_lines].map(|columns| " ".repeat(usize::from(columns)));
    let cell = |letter| format!("{left}{letter}{right}");
    for (rank, line) in ranks.into_iter().flat_map(|rank| (0..square_lines).map(move |line| (rank, line))) {
        let in_middle = |letter| if line == middle { letter } else { ' ' };
        let mut spans = vec![Span::raw(format!(" {} ", in_middle(rank.digit())))];
        spans.extend(files.iter().map(|&file| {
            let square = Square::new(file, rank);
            let letter = drawing.board[square.index()].map_or('.', ColoredPiece::letter);
            Span::styled(cell(in_middle(letter)), palette.square_style(&drawing, square))
        }));
        lines.push(Line::from(spans));
    }
    let names: String = files.iter().map(|file| cell(file.letter())).collect();
    lines.push(Line::from(format!("   {names}")));
    lines.push(Line::from(format!("   {}", turn(state.level()))));
    Text::from(lines)
}

fn turn(level: &Level) -> String {
    let side = match level.position.turn() {
        Side::White => "White",
        Side::Black => "Black",
    };
    let check = level.position.checkers().any();
    match (level.rows.iter().any(|row| row.played.is_some()), check) {
        (true, false) => format!("{side} to move"),
        (true, true) => format!("{side} is in check"),
        (false, true) => format!("{side}: checkmate"),
        (false, false) => format!("{side}: stalemate"),
    }
}

fn draw_list(state: &State, palette: Palette, places: &Places, frame: &mut Frame) {
    let level = state.level();
    let Some(table) = table(level, state.engine.is_some(), places.list.width) else {
        return frame.render_widget("Too narrow for these counts.", places.list);
    };
    let list = Rect { width: width(&table), ..places.list };
    let text = table.text_in_one();
    let mut texts = text.lines();
    let height = places.rows();
    let first = (level.selected.saturating_sub(height / 2)).min(level.rows.len().saturating_sub(height));
    let mut lines = vec![Line::styled(texts.next().unwrap_or_default(), BOLD)];
    for (index, (row, text)) in level.rows.iter().zip(&mut texts).enumerate().skip(first).take(height) {
        let style = palette.row_style(level.status(row), index == level.selected);
        lines.push(Line::styled(text, style));
    }
    let differs =
        level.is_counted() && level.their_total().is_some_and(|total| total != level.our_total() as i128);
    let style = if differs { palette.paint(Color::Yellow) } else { BOLD };
    lines.push(Line::styled(text.lines().last().unwrap_or_default(), style));
    frame.render_widget(Text::from(lines), list);
    if level.rows.len() > height {
        draw_scrollbar(first, level.rows.len() - height, list, frame);
    }
}

/// Draws the scroll bar. `first` is the row at the top of the list, from 0 to `last`.
fn draw_scrollbar(first: usize, last: usize, list: Rect, frame: &mut Frame) {
    let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(Some("|"))
        .thumb_symbol("#");
    // The scroll bar is next to the moves only, not next to the header and the total.
    let area = Rect { y: list.y + 1, height: list.height.saturating_sub(2), ..list };
    let mut state = ScrollbarState::new(last + 1).position(first).viewport_content_length(area.height.into());
    frame.render_stateful_widget(bar, area, &mut state);
}

/// Returns the move that is being typed, the message of the last key, the failure of the engine, or the progress of the counts, with its color.
fn status(state: &State) -> (String, Option<Color>) {
    if let Some(typed) = &state.typed {
        return (format!("move: {typed}_"), Some(Color::Cyan));
    }
    match (&state.message, &state.level().reply) {
        (Some(message), _) => (message.clone(), Some(Color::Cyan)),
        (None, Reply::Failed(reason)) => (format!("engine failed: {reason}"), Some(Color::Red)),
        (None, _) => {
            let lines = [progress(state)].into_iter().chain(state.reason_of_difference());
            (lines.collect::<Vec<String>>().join("\n"), None)
        }
    }
}

fn progress(state: &State) -> String {
    let level = state.level();
    let (counted, legal) = level.counted();
    let ours = if counted < legal {
        format!(
            "counting: {counted} of {}, {:.0}% of the next",
            number_of(legal, "move"),
            100.0 * state.fraction
        )
    } else {
        format!("{}, all counted", number_of(legal, "legal move"))
    };
    if state.engine.is_none() {
        return ours;
    }
    let Some(total) = level.their_total() else {
        return format!("{ours}; waiting for the engine");
    };
    if let Some(Row { text, ours: Some(ours), theirs: Some(theirs), .. }) = state.wrong_above() {
        let (ours, theirs) = (grouped(*ours), grouped(*theirs));
        return format!(
            "no difference here, but {theirs} instead of {ours} after {text} one ply up: look at playing and taking back \
             moves, the transposition table, draws, counting the last ply, and adding up"
        );
    }
    let theirs = match level.differences() {
        0 if counted < legal => "the engine has answered".to_owned(),
        0 if total != level.our_total() as i128 => "the totals differ".to_owned(),
        0 => "no difference".to_owned(),
        moves => format!("{} {}", number_of(moves, "move"), agreeing(moves, "differs", "differ")),
    };
    let doubt = if level.difference.contradicts_itself {
        "; the engine's total is not the sum of its moves"
    } else {
        ""
    };
    format!("{ours}; {theirs}{doubt}")
}

fn draw_help(area: Rect, frame: &mut Frame) {
    let (width, height) = (40, HELP.lines().count() as u16 + 2);
    let area = area.centered(Constraint::Length(width), Constraint::Length(height));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(HELP).block(Block::bordered().title(" Keys and marks ")), area);
}

/// The columns of the scroll bar, with the blank before it.
const SCROLL_BAR: u16 = 2;

/// The columns. The counts have some extra space, so that the columns do not move with every count.
const HEADER: [&str; 5] = ["", "move ", "      perft", "     engine", "difference"];

/// Returns a header, the moves and the total in the best form that fits into a width; `None` if none does.
fn table(level: &Level, has_engine: bool, width: u16) -> Option<Table> {
    let choices = [(Digits::Grouped, 5), (Digits::Plain, 5), (Digits::Plain, 4)];
    let table = |(digits, columns)| {
        let columns = if has_engine { columns } else { 3 };
        let rows = level.rows.iter().enumerate();
        let rows = rows.map(|(index, shown)| row(level, shown, index == level.selected, digits));
        let rows = rows.chain([total(level, digits)]).map(|cells| cells.into_iter().take(columns).collect());
        Table::new(HEADER.into_iter().take(columns), rows).named_by(2)
    };
    choices.into_iter().map(table).find(|table| self::width(table) <= width)
}

fn width(table: &Table) -> u16 {
    u16::try_from(table.text_width()).map_or(u16::MAX, |width| width.saturating_add(SCROLL_BAR))
}

fn row(level: &Level, row: &Row, is_selected: bool, digits: Digits) -> [String; 5] {
    let status = level.status(row);
    let (mark, difference) = match (status, row.ours, row.theirs) {
        (RowStatus::OnlyOurs, ..) => ('-', "only perft".to_owned()),
        (RowStatus::OnlyTheirs, ..) => ('+', "only engine".to_owned()),
        (RowStatus::Different, Some(ours), Some(theirs)) => ('!', digits.difference(ours, theirs as i128)),
        _ => (' ', String::new()),
    };
    let cursor = if is_selected { '>' } else { ' ' };
    let unknown_ours = if row.played.is_some() { "..." } else { "-" };
    let unknown_theirs = match (&level.reply, status) {
        (Reply::Failed(_), _) => "?",
        (_, RowStatus::OnlyOurs) => "-",
        (Reply::Awaited, _) => "...",
        (Reply::Given(_), _) => "",
    };
    let count = |count: Option<u128>, unknown: &str| {
        count.map_or_else(|| unknown.to_owned(), |count| digits.count(count))
    };
    let (ours, theirs) = (count(row.ours, unknown_ours), count(row.theirs, unknown_theirs));
    [format!("{cursor} {mark}"), row.text.clone(), ours, theirs, difference]
}

fn total(level: &Level, digits: Digits) -> [String; 5] {
    let ours = level.our_total();
    let theirs = match (&level.reply, level.their_total()) {
        (_, Some(total)) => digits.signed(total),
        (Reply::Failed(_), None) => "?".to_owned(),
        (_, None) => "...".to_owned(),
    };
    let differing = level.their_total().filter(|&theirs| level.is_counted() && theirs != ours as i128);
    let difference = differing.map_or_else(String::new, |theirs| digits.difference(ours, theirs));
    let mark = if differing.is_some() { "  !" } else { "" };
    let label = if level.is_counted() { "total" } else { "part" };
    [mark.to_owned(), label.to_owned(), digits.count(ours), theirs, difference]
}

#[cfg(test)]
mod tests;

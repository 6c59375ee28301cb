//! `perft diagnose`: finds the mistakes that give exactly the wrong counts of a program. No engine is needed. The text is
//! written in 80 columns.

pub mod numbers;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::Args;
use numbers::Number;
use perft_count::{CpuPath, Perft, Progress};
use perft_diagnosis::source::LeafCount;
use perft_diagnosis::{AllButOne, Diagnosis, MAX_NODES_OF_KINDS, Model, TellingCount, Told, Tried, diagnose};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use crate::input::{parse_depth, parse_threads};
use crate::output::{
    CliError, CliErrorKind, Context, CountMode, Digits, Header, JsonArgs, PositionInfo, Provenance, Report,
    Settings, WaitNote, agreeing, emit, environment, folded, grouped, incomplete_line, number_of,
    progress_line, ranges, styled,
};
use crate::system::command_line::to_type;

#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// Numbers that your program gives, as DEPTH:COUNT, or as COUNT with --depth. Put a position (a FEN or a name)
    /// before its numbers. Behind a number may stand captures:COUNT, ep:COUNT, castles:COUNT, promotions:COUNT,
    /// checks:COUNT and mates:COUNT. EPD lines and EPD files have positions and numbers. A file, or "-" for standard
    /// input, may also have the divide of a position at the depth of --depth
    #[arg(value_name = "[POSITION] DEPTH:COUNT|FILE|-", allow_negative_numbers = true)]
    numbers: Vec<String>,
    /// Position of the numbers that come before any other position
    #[arg(short, long, value_name = "FEN|NAME", default_value = "start")]
    fen: String,
    /// Moves to play from there first, in UCI notation, separated by commas: e2e4,e7e5
    #[arg(short, long, value_name = "MOVES")]
    moves: Vec<String>,
    /// Depth in plies of divides, and of numbers that are given without one
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: Option<u32>,
    /// Number of threads, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "all", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: usize,
    /// List the mistakes that are tried
    #[arg(long, conflicts_with = "numbers")]
    list: bool,
    #[command(flatten)]
    output: JsonArgs,
}

/// The time after which the user is told that a diagnosis goes on.
const LONG: Duration = Duration::from_secs(10);

pub fn run(args: DiagnoseArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if args.list {
        let mut mistakes: Vec<Model> = Model::all().filter(|model| model.is_general()).collect();
        mistakes.dedup_by_key(|model| model.name());
        let report =
            CatalogueReport { header: environment::header(), mistakes, models: Model::all().count() };
        emit(&report, args.output.format(), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let numbers = numbers::read(&args, context)?;
    let perft = Perft::new().threads(args.threads).map_err(CliError::usage)?;
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(|error| {
        CliError::usage(format!("cannot start {}", number_of(args.threads, "thread"))).because(error)
    })?;

    let start = Instant::now();
    let line = progress_line(context, "diagnose");
    line.set_message("counting the right numbers");
    let models = grouped(Model::all().count() as u128);
    let wait_note = line.is_hidden().then(|| {
        WaitNote::after(LONG, format!("trying up to {models} models; this can take a minute or more"))
    });
    let progress = Progress::new(context.stop.clone());
    let mut told: Vec<Told> =
        numbers.iter().map(|number| number.told(&perft, &progress)).collect::<Result<_, _>>()?;
    // No mistake of the program makes what stands beside its number wrong.
    let take_others = |told: &mut Told| {
        std::mem::take(&mut told.difference.has_wrong_others) || told.wrong_kinds().next().is_some()
    };
    let wrong_others: Vec<bool> = told.iter_mut().map(take_others).collect();
    let on_progress = |models: usize| line.set_message(format!("trying {} models", grouped(models as u128)));
    let mut found = pool.install(|| diagnose(told, &context.stop, &on_progress));
    let mut all_but_one = Vec::new();
    if found.is_complete && found.causes.is_empty() {
        let searched = pool.install(|| found.all_but_one(&context.stop, &on_progress));
        found.is_complete = searched.is_ok();
        all_but_one = searched.unwrap_or_default();
    }
    line.finish_and_clear();
    drop(wait_note);
    let counts = numbers.iter().zip(&found.answers).zip(&found.tried).zip(wrong_others);
    let counts = counts.map(NumberReport::new).collect();
    let provenance = Settings::new(CountMode::Diagnose, CpuPath::best(), args.threads).into();
    let (seconds, shows_narrower) = (start.elapsed().as_secs_f64(), context.global.verbose);
    let report = DiagnoseReport { provenance, counts, found, all_but_one, seconds, shows_narrower };
    emit(&report, args.output.format(), out)?;
    if !report.found.is_complete {
        out.flush()?;
        return Err(CliError::Interrupted("not all models were tried".to_owned()));
    }
    let is_right = report.found.is_right() && !report.has_wrong_others();
    Ok(if is_right { ExitCode::SUCCESS } else { CliErrorKind::Wrong.into() })
}

/// The result of a diagnosis.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnoseReport {
    /// How the right numbers were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub counts: Vec<NumberReport>,
    /// The mistakes that give all of the numbers.
    #[serde(flatten)]
    pub found: Diagnosis,
    /// The mistakes that give all of the numbers but one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_but_one: Vec<AllButOne>,
    /// The time in seconds.
    pub seconds: f64,
    /// Whether the text has the number of narrower forms.
    #[serde(skip)]
    pub shows_narrower: bool,
}

impl DiagnoseReport {
    fn wrong(&self) -> usize {
        self.counts.iter().filter(|number| !number.right).count()
    }

    fn has_wrong_others(&self) -> bool {
        self.counts.iter().any(|number| number.has_wrong_others)
    }
}

/// A given number.
#[derive(Clone, Debug, Serialize)]
pub struct NumberReport {
    /// The position. Its name is the name or the FEN that the user gave.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The given number, or the total of a divide.
    pub found: i128,
    /// The right number.
    pub expected: u128,
    /// The name of the number in the text that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Whether counts that stand beside it in a text are wrong.
    #[serde(skip)]
    pub has_wrong_others: bool,
    /// The wrong totals that stand beside it, with their names.
    #[serde(skip)]
    pub wrong_totals: Vec<(String, i128)>,
    /// What the text does not say about it.
    #[serde(skip)]
    pub unnamed: Option<String>,
    /// The numbers of captures and other kinds that were given with it and compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindReport>,
    /// The number of these that were given and are too large to be compared.
    #[serde(skip)]
    pub uncompared: usize,
    /// Whether the counts below the moves were given too.
    #[serde(skip)]
    pub is_divide: bool,
    /// Whether the given number is right. For a divide, the counts below the moves must be right, too.
    pub right: bool,
    /// The number of models that were compared with it. Numbers before it may have ruled out the others.
    pub models_tried: usize,
    /// Whether models of broken rules were among them. They are not tried if the right number is too large.
    pub rules_tried: bool,
}

/// A given number of leaf nodes of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindReport {
    /// The name of the kind.
    pub kind: &'static str,
    /// The given number.
    pub found: i128,
    /// The right number, as most programs count.
    pub expected: u128,
    /// Whether the given number is right.
    pub right: bool,
}

/// The mistakes that are tried.
#[derive(Clone, Debug, Serialize)]
pub struct CatalogueReport {
    /// The program that wrote the list, and when.
    #[serde(flatten)]
    pub header: Header,
    /// The mistakes, by topic.
    pub mistakes: Vec<Model>,
    /// The number of models: the mistakes, and their special cases for some moves or a part of the program.
    pub models: usize,
}

impl NumberReport {
    fn new((((number, told), tried), has_wrong_others): (((&Number, &Told), &Tried), bool)) -> NumberReport {
        let of_text = || told.answer.text.as_ref().and_then(|text| text.column.clone());
        let others = told.answer.text.iter().flat_map(|text| &text.others).filter(|other| other.wrong > 0);
        let unnamed = told.answer.text.as_ref().filter(|text| text.is_unnamed);
        let kind = |count: &LeafCount| KindReport {
            kind: count.kind.name(),
            found: count.nodes,
            expected: count.kind.counts(&told.leaves)[0],
            right: count.is_of(&told.leaves),
        };
        NumberReport {
            unnamed: unnamed.and_then(|text| text.sentences().pop()),
            wrong_totals: others.filter_map(|other| Some((other.name.clone(), other.total?))).collect(),
            position: PositionInfo::named(&number.name, told.position()),
            column: number.column.clone().or_else(of_text),
            has_wrong_others,
            kinds: told.kinds.iter().map(kind).collect(),
            uncompared: number.kinds.len() - told.kinds.len(),
            is_divide: told.difference.lists_moves,
            depth: told.depth,
            found: told.difference.theirs,
            expected: told.difference.ours,
            right: told.is_right(),
            models_tried: tried.models,
            rules_tried: tried.with_rules,
        }
    }
}

/// The number of causes that are shown.
const SHOWN: usize = 12;

impl Report for DiagnoseReport {
    const NAME: &'static str = "diagnose";

    /// An interrupted diagnosis is marked.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for of_position in self.counts.chunk_by(|a, b| a.position == b.position) {
            writeln!(out, "{}", of_position[0].position.label())?;
            of_position.iter().try_for_each(|number| write_number(number, out))?;
        }
        writeln!(out)?;
        if self.found.is_right() && self.has_wrong_others() {
            return writeln!(
                out,
                "{}",
                styled("What stands beside a right number is wrong.", AnsiColor::Red)
            );
        }
        if self.found.is_right() {
            let all = if self.counts.len() == 1 { "The number is" } else { "All numbers are" };
            return writeln!(out, "{}", styled(&format!("{all} right."), AnsiColor::Green));
        }
        if !self.found.is_complete {
            return writeln!(out, "{}", incomplete_line());
        }
        write_causes(self, out)?;
        if self.wrong() == 1
            && !self.found.causes.is_empty()
            && !self.counts.iter().any(|number| number.is_divide || !number.kinds.is_empty())
        {
            let text =
                "One wrong number alone is no proof: other bugs may give it too. One more number decides.";
            writeln!(out)?;
            write_folded(0, text, out)?;
        }
        write_telling(self, out)?;
        writeln!(out)?;
        write_folded(0, &effort(self), out)?;
        if self.found.causes.is_empty() {
            let line = to_type(&["hunt", "./my-engine"]).unwrap_or_default();
            write_folded(0, &format!("For other bugs, if perft can run the program: {line}"), out)?;
        }
        Ok(())
    }
}

impl Report for CatalogueReport {
    const NAME: &'static str = "mistakes";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for mistakes in self.mistakes.chunk_by(|a, b| a.topic() == b.topic()) {
            writeln!(out, "{}:", mistakes[0].topic())?;
            for cause in mistakes {
                writeln!(out, "  {}", cause.name())?;
                write_folded(6, &cause.about(), out)?;
            }
        }
        let models = grouped(self.models as u128);
        let text = "Rules are also broken for one side only, for some moves only, and in a part of the program only.";
        writeln!(out)?;
        write_folded(0, &format!("{text} So {models} models are tried."), out)
    }
}

fn write_number(number: &NumberReport, out: &mut impl Write) -> io::Result<()> {
    let NumberReport { depth, found, expected, right, has_wrong_others, .. } = *number;
    let (given, difference) = (Digits::Grouped.signed(found), found - expected as i128);
    let verdict = match difference {
        _ if has_wrong_others && right => "right, but not what stands beside it".to_owned(),
        _ if right => styled("right", AnsiColor::Green),
        0 => "the counts below some moves are wrong".to_owned(),
        _ => off_by(difference, expected),
    };
    let column = number.column.iter().map(|name| format!(" (\"{name}\")")).collect::<String>();
    writeln!(out, "  {}", folded(&format!("depth {depth}: {given}{column}: {verdict}"), 4))?;
    if let Some(unnamed) = &number.unnamed {
        write_folded(4, unnamed, out)?;
    }
    for (name, nodes) in &number.wrong_totals {
        let name = if name.is_empty() { "beside it" } else { name };
        writeln!(
            out,
            "    {name} {}: {}",
            Digits::Grouped.signed(*nodes),
            off_by(nodes - expected as i128, expected)
        )?;
    }
    let (right, wrong): (Vec<_>, Vec<_>) = number.kinds.iter().partition(|kind| kind.right);
    for KindReport { kind, found, expected, .. } in wrong {
        let difference = off_by(found - *expected as i128, *expected);
        writeln!(out, "    {kind} {}: {difference}", Digits::Grouped.signed(*found))?;
    }
    let names: Vec<&str> = right.iter().map(|kind| kind.kind).collect();
    if !names.is_empty() {
        writeln!(out, "    {}: {}", names.join(", "), styled("right", AnsiColor::Green))?;
    }
    match number.uncompared {
        0 => Ok(()),
        _ => write_folded(4, "captures and the like: not compared, the count is too large", out),
    }
}

/// Returns how far a number is off: `62 too few, right is 97,862`. It has the colour of a wrong count.
fn off_by(difference: i128, expected: u128) -> String {
    let word = if difference < 0 { "few" } else { "many" };
    let off = styled(&format!("{} too {word}", grouped(difference.unsigned_abs())), AnsiColor::Yellow);
    format!("{off}, right is {}", grouped(expected))
}

fn write_causes(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    let untested = report.counts.iter().filter(|number| !number.rules_tried).count();
    let all = report.counts.len();
    let numbers = match (all, untested) {
        (1, _) => "this number".to_owned(),
        (_, 0) if report.wrong() == all => format!("these {all} numbers"),
        (_, 0) => {
            let wrong = report.wrong();
            format!("these {all} numbers, {wrong} of which {} wrong", agreeing(wrong, "is", "are"))
        }
        _ => "the numbers that models were tried at".to_owned(),
    };
    let title = match report.found.causes.len() {
        0 => {
            writeln!(out, "No known mistake gives {numbers}.")?;
            return write_all_but_one(report, out);
        }
        1 => format!("1 mistake gives exactly {numbers}:"),
        causes => format!("{causes} mistakes give exactly {numbers}:"),
    };
    writeln!(out, "{}\n", styled(&folded(&title, 0), AnsiColor::Red))?;
    for (number, cause) in (1_usize..).zip(&report.found.causes).take(SHOWN) {
        writeln!(out, "{number:>3}  {}", styled(&cause.name(), AnsiColor::Magenta))?;
        write_folded(5, &cause.about(), out)?;
    }
    match report.found.causes.len().saturating_sub(SHOWN) {
        0 => {}
        more => writeln!(out, "... and {more} more; --json lists all")?,
    }
    match report.found.narrower {
        0 => Ok(()),
        _ if !report.shows_narrower => Ok(()),
        1 => writeln!(out, "\n{}", folded("A narrower form, such as for one side only, gives it too.", 0)),
        narrower => writeln!(out, "\n{narrower} narrower forms, such as for one side only, give it too."),
    }
}

/// Writes the mistakes that give all numbers but one, with the number that they would give there.
fn write_all_but_one(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    for AllButOne { model, answer, total, .. } in report.all_but_one.iter().take(SHOWN) {
        let other = &report.counts[*answer];
        let (name, depth) = (other.position.label(), other.depth);
        let (all, total) = (report.counts.len(), grouped(u128::from(*total)));
        let given = format!(
            "It gives {} of the {all} numbers. Alone, it would give {total} at depth {depth} of {name}.",
            all - 1
        );
        writeln!(out, "\n  {}", styled(&model.name(), AnsiColor::Magenta))?;
        write_folded(5, &model.about(), out)?;
        write_folded(5, &given, out)?;
    }
    Ok(())
}

fn write_telling(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    if report.found.causes.len() < 2 {
        return Ok(());
    }
    if report.found.telling.is_empty() {
        return writeln!(out, "\nNo small position tells them apart.");
    }
    let title = folded("Count these positions with your program to tell them apart:", 0);
    writeln!(out, "\n{title}\n")?;
    for telling in &report.found.telling {
        let question = &telling.question;
        writeln!(out, "{}", question.path.end_setup().to_fen())?;
        writeln!(out, "  depth {}; right is {}", question.depth, grouped(question.difference.ours))?;
        for (total, causes) in by_number(telling) {
            let total =
                total.map_or_else(|| "another number".to_owned(), |total| Digits::Grouped.signed(total));
            let word = if causes.len() == 1 { "mistake" } else { "mistakes" };
            write_folded(4, &format!("{total}: {word} {}", ranges(causes, ", ")), out)?;
        }
    }
    Ok(())
}

/// Returns the different totals, each with the numbers of the causes that give it.
fn by_number(telling: &TellingCount) -> Vec<(Option<i128>, Vec<u32>)> {
    let mut groups: Vec<(Option<i128>, Vec<u32>)> = Vec::new();
    for (cause, &total) in (1..).zip(&telling.totals) {
        match groups.iter_mut().find(|(other, _)| *other == total) {
            Some((_, causes)) => causes.push(cause),
            None => groups.push((total, vec![cause])),
        }
    }
    groups
}

/// Returns how many models were compared with the number of each depth: `1,412 models were tried at depth 4; 12 models
/// were tried at depth 5.`
fn effort(report: &DiagnoseReport) -> String {
    let mut numbers: Vec<&NumberReport> = report.counts.iter().collect();
    numbers.sort_by_key(|number| (Reverse(number.models_tried), number.expected));
    let (counted, too_large): (Vec<_>, Vec<_>) = numbers.into_iter().partition(|number| number.rules_tried);
    let tried = counted.into_iter().filter(|number| number.models_tried > 0).map(|number| {
        let (models, were) =
            (number_of(number.models_tried, "model"), agreeing(number.models_tried, "was", "were"));
        format!("{models} {were} tried at depth {}", number.depth)
    });
    let too_large = too_large.into_iter().map(|NumberReport { depth, .. }| {
        format!("depth {depth} is too large to be counted with models, so only ways of adding up were tried")
    });
    let has_large_kinds =
        |number: &&NumberReport| !number.kinds.is_empty() && number.expected > MAX_NODES_OF_KINDS;
    let kinds = report.counts.iter().filter(has_large_kinds).map(|NumberReport { depth, .. }| {
        format!("depth {depth} is too large to count captures and the like with models")
    });
    format!("{}. {:.1} s", tried.chain(too_large).chain(kinds).collect::<Vec<_>>().join("; "), report.seconds)
}

fn write_folded(indent: usize, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:indent$}{}", "", folded(text, indent))
}

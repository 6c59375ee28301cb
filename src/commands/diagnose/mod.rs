//! `perft diagnose`: finds the mistakes that give exactly the wrong counts of a program. No engine is needed.

pub mod numbers;
pub mod text;

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use perft_core::LeafStatistics;
use perft_count::{CpuPath, Perft, Progress};
use perft_diagnosis::source::LeafCount;
use perft_diagnosis::{Diagnosis, Model, Told, Tried, diagnose};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use numbers::Number;

use crate::input::{parse_depth, parse_threads};
use crate::output::error::WRONG;
use crate::output::{
    CliError, Context, CountMode, Header, JsonArgs, PositionInfo, Provenance, WaitNote, emit, environment,
    grouped, number_of, progress_line,
};

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
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',')]
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
        CliError::usage(format!("cannot start {}: {error}", number_of(args.threads, "thread")))
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
    let found = pool.install(|| diagnose(told, &context.stop, &on_progress));
    line.finish_and_clear();
    drop(wait_note);
    let counts = numbers.iter().zip(&found.answers).zip(&found.tried).zip(wrong_others);
    let counts = counts.map(NumberReport::new).collect();
    let provenance = Provenance {
        mode: CountMode::Diagnose,
        ..environment::provenance(CpuPath::best(), args.threads, 0, true)
    };
    let (seconds, shows_narrower) = (start.elapsed().as_secs_f64(), context.global.verbose);
    let report = DiagnoseReport { provenance, counts, found, seconds, shows_narrower };
    emit(&report, args.output.format(), out)?;
    if !report.found.is_complete {
        out.flush()?;
        return Err(CliError::Interrupted("not all models were tried".to_owned()));
    }
    let is_right = report.found.is_right() && !report.has_wrong_others();
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
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

    /// Whether something that stands beside a number in a text is wrong.
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

impl KindReport {
    fn new(count: LeafCount, leaves: &LeafStatistics) -> KindReport {
        KindReport {
            kind: count.kind.name(),
            found: count.nodes,
            expected: count.kind.counts(leaves)[0],
            right: count.is_of(leaves),
        }
    }
}

impl NumberReport {
    fn new((((number, told), tried), has_wrong_others): (((&Number, &Told), &Tried), bool)) -> NumberReport {
        let of_text = || told.answer.text.as_ref().and_then(|text| text.column.clone());
        NumberReport {
            position: PositionInfo::named(&number.name, told.position()),
            column: number.column.clone().or_else(of_text),
            has_wrong_others,
            kinds: told.kinds.iter().map(|count| KindReport::new(*count, &told.leaves)).collect(),
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

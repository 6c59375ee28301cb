//! The report of `perft compare`: one row per contender, one column per position.
//!
//! The JSON has the same `results` as that of a benchmark, one for each position and contender, so that the same tools
//! can read it. `contenders` describes the contenders and compares each with the reference: see [`super::contender`].

use std::io::{self, Write};

use serde::Serialize;

use super::contender::{Contender, ContenderResult, MeasureOutcome, PositionResult, Runs};
use crate::commands::bench::bench_result::{BenchResult, write_results_csv};
use crate::commands::bench::page::Page;
use crate::commands::bench::plot::{Bar, Panel, Plot};
use crate::commands::bench::title::title;
use crate::commands::bench::trackers::{write_bmf, write_github};
use crate::output::environment::Environment;
use crate::output::numbers::{bounds_text, mega, ratio_text, times_as_fast};
use crate::output::table::{Table, escape_markdown};
use crate::output::{INCOMPLETE, Provenance, Report, folded};
use crate::timing::{GateResult, Measure, Measured, Ratio, Task};

/// A comparison of several contenders.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CompareReport {
    /// The machine and how leaves were counted. The settings of each contender are in `contenders`.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The build and the state of the machine.
    pub environment: Environment,
    /// The name of the contender that ratios are computed to.
    pub reference_name: String,
    /// The kind of all times, speeds and ratios: `processor` if all contenders are built in and have one thread, and the system
    /// reports the processor time of every run; otherwise `wall`.
    pub measure: Measure,
    /// How much slower than the reference the others may be: 0.05 for five percent. `None` if no bound was given.
    pub max_regression: Option<f64>,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// Warnings that the figures may be wrong, with advice.
    pub warnings: Vec<String>,
    /// The contenders, in the order of the command line.
    pub contenders: Vec<ContenderResult>,
    /// The results, one for each position and contender that counts it.
    pub results: Vec<BenchResult>,
}

impl Report for CompareReport {
    const NAME: &'static str = "compare";
}

impl CompareReport {
    /// Makes a report of the runs of several contenders. `reference` is the index of the reference.
    ///
    /// # Panics
    /// There is no contender with that index, no position, or a position without its runs.
    pub fn new(
        provenance: Provenance,
        environment: Environment,
        contenders: Vec<Contender>,
        tasks: &[Task],
        measured: &[Measured],
        reference: usize,
    ) -> CompareReport {
        let runs = Runs { contenders: &contenders, tasks, measured, reference };
        let (compared, results): (Vec<_>, Vec<_>) =
            (0..contenders.len()).map(|contender| runs.results(contender)).unzip();
        CompareReport {
            provenance,
            environment,
            reference_name: contenders[reference].name.clone(),
            measure: measured[0].measure,
            max_regression: None,
            complete: measured.iter().all(Measured::is_complete),
            warnings: Vec::new(),
            contenders: compared,
            results: results.concat(),
        }
    }

    /// Judges for each contender except the reference whether it is slower than allowed. `allowed` is the largest
    /// permitted slowdown: 0.05 for five percent.
    pub fn judged(mut self, allowed: f64) -> CompareReport {
        let reference = &self.reference_name;
        for result in self.contenders.iter_mut().filter(|result| result.contender.name != *reference) {
            result.gate = result.overall.map(|ratio| ratio.gate(allowed));
        }
        CompareReport { max_regression: Some(allowed), ..self }
    }

    /// Whether a contender is certainly slower than allowed.
    pub fn has_slower(&self) -> bool {
        self.contenders.iter().any(|result| result.gate == Some(GateResult::Slower))
    }

    /// Whether a contender counted wrong.
    pub fn has_wrong_counts(&self) -> bool {
        self.has_outcome(MeasureOutcome::Wrong)
    }

    /// Whether a contender gave no count.
    pub fn has_failures(&self) -> bool {
        self.has_outcome(MeasureOutcome::Failed)
    }

    fn has_outcome(&self, outcome: MeasureOutcome) -> bool {
        let mut positions = self.contenders.iter().flat_map(|result| &result.results);
        positions.any(|position| position.outcome == outcome)
    }

    /// Writes text: the speeds, the times, the contenders, and what went wrong.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.settings() {
            writeln!(out, "{}", folded(&line, 2))?;
        }
        writeln!(out, "\n{}\n\n{}\n", self.speeds().text(), folded(&self.legend(), 0))?;
        writeln!(out, "{}\n", self.times().text())?;
        self.notes().iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))
    }

    /// Writes comma-separated values, one line for each contender and position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let untimed = self.contenders.iter().flat_map(ContenderResult::untimed_rows).collect();
        write_results_csv(&self.results, untimed, self.measure, out)
    }

    /// Writes Markdown with the same tables as the text.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.speeds().markdown())?;
        writeln!(
            out,
            "{}\n",
            escape_markdown(&format!("{} {}.", self.legend(), self.settings().join("; ")))
        )?;
        writeln!(out, "{}\n", self.times().markdown())?;
        self.notes().iter().try_for_each(|note| writeln!(out, "- {}", escape_markdown(note)))
    }

    /// Writes a plot of all runs as SVG.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.plot().svg().as_bytes())
    }

    /// Writes an HTML page with the plot, the tables and the environment.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        Page {
            conclusion: self.conclusions(),
            warnings: self.warnings.clone(),
            plot: self.plot(),
            tables: vec![self.speeds(), self.times()],
            notes: [self.notes(), self.environment.details()].concat(),
        }
        .write(out)
    }

    /// Writes the speeds as JSON for github-action-benchmark.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_github(&self, out: &mut impl Write) -> io::Result<()> {
        write_github(&self.results, &self.settings(), out)
    }

    /// Writes the speeds in the Bencher Metric Format.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_bmf(&self, out: &mut impl Write) -> io::Result<()> {
        write_bmf(&self.results, out)
    }

    /// Returns the conclusion of the comparison: which contender was the fastest, and by how much. Empty without
    /// ratios.
    fn conclusions(&self) -> Vec<String> {
        let mut ranked: Vec<(&ContenderResult, Ratio, f64)> = self
            .contenders
            .iter()
            .filter_map(|result| Some((result, result.overall?, result.nodes_per_second?)))
            .collect();
        ranked.sort_by(|(_, a, _), (_, b, _)| b.value.total_cmp(&a.value));
        let [(first, ratio, speed), others @ ..] = &ranked[..] else { return Vec::new() };
        let over = match self.columns().len() {
            1 => String::new(),
            several => format!(" in the geometric mean of {several} positions"),
        };
        let fastest = format!("{} was the fastest: {} Mnps{over}.", first.contender.name, mega(*speed));
        let second = others.first().map(|(second, of_second, _)| {
            let ratio = if self.is_reference(first) {
                times_as_fast(&of_second.inverse(), &second.contender.name)
            } else {
                times_as_fast(ratio, &self.reference_name)
            };
            format!("It was {ratio}.")
        });
        [fastest].into_iter().chain(second).collect()
    }

    fn is_reference(&self, result: &ContenderResult) -> bool {
        result.contender.name == self.reference_name
    }

    /// Returns a ratio of a contender for tables and plots. The ratio of the reference is exactly 1.
    fn ratio(&self, of: &ContenderResult, ratio: Ratio) -> String {
        if self.is_reference(of) { "1".to_owned() } else { ratio_text(ratio.value) }
    }

    /// Returns a plot with one panel per position, and with one of the mean speeds before them if there are several.
    fn plot(&self) -> Plot {
        let panel = |title: String, bar: &dyn Fn(&ContenderResult) -> Bar| {
            let bars = self.contenders.iter().enumerate().map(|(color, result)| Bar { color, ..bar(result) });
            Panel { title, bars: bars.collect() }
        };
        let columns = self.columns();
        let means = (columns.len() > 1)
            .then(|| panel("geometric mean".to_owned(), &|result: &ContenderResult| self.mean_bar(result)));
        let names: Vec<&str> = self.contenders.iter().map(|result| result.contender.name.as_str()).collect();
        let title = title(&names, &columns);
        let positions = columns.into_iter().enumerate().map(|(index, title)| {
            panel(title, &|result: &ContenderResult| self.position_bar(result, &result.results[index]))
        });
        Plot {
            title,
            caption: [self.settings(), vec![self.provenance.header.date(), self.legend()]].concat(),
            panels: means.into_iter().chain(positions).collect(),
        }
    }

    /// Returns the bar of the mean speed of a contender.
    fn mean_bar(&self, of: &ContenderResult) -> Bar {
        Bar {
            label: of.contender.name.clone(),
            color: 0,
            speed: of.nodes_per_second,
            interval: None,
            runs: Vec::new(),
            ratio: of.overall.map(|ratio| self.ratio(of, ratio)),
            remark: "not in all positions".to_owned(),
        }
    }

    /// Returns the bar of a contender in a position.
    fn position_bar(&self, of: &ContenderResult, position: &PositionResult) -> Bar {
        let name = &of.contender.name;
        let found = self.results.iter().find(|result| {
            (result.contender.as_ref(), &result.position, result.depth)
                == (Some(name), &position.position, position.depth)
        });
        match found {
            Some(result) => {
                let ratio = position.ratio.map(|ratio| self.ratio(of, ratio));
                Bar { ratio, ..Bar::new(name.clone(), 0, result) }
            }
            None => {
                let remark = position.outcome.name().to_owned();
                Bar { speed: None, ratio: None, remark, ..self.mean_bar(of) }
            }
        }
    }

    /// Returns lines about the build, the machine and what all contenders share. The first one says so if runs are
    /// missing.
    fn settings(&self) -> Vec<String> {
        let leaves = if self.provenance.bulk { "bulk counting" } else { "every leaf made" };
        let shared = format!("{leaves}, no table; all times are {} time", self.measure.name());
        let incomplete = (!self.complete).then(|| INCOMPLETE.to_owned());
        let settings = self.environment.summary(&self.provenance);
        incomplete.into_iter().chain(settings).chain([shared]).collect()
    }

    /// Returns the explanation of the columns.
    fn legend(&self) -> String {
        format!(
            "Mnps: millions of leaf nodes per second, from the median time. Ratio (×): of speeds to {}, the median of all \
             rounds; above 1 is faster.",
            self.reference_name
        )
    }

    /// Returns lines that describe the contenders, their problems, and which of them are slower than allowed.
    fn notes(&self) -> Vec<String> {
        let of_contender = |result: &ContenderResult| {
            let conclusion = result.gate.map(|gate| self.conclusion(&result.contender.name, gate));
            result.notes().into_iter().chain(conclusion)
        };
        self.contenders.iter().flat_map(of_contender).collect()
    }

    /// Returns in words whether a contender is slower than allowed.
    fn conclusion(&self, name: &str, gate: GateResult) -> String {
        let conclusion = match gate {
            GateResult::Slower => "slower",
            GateResult::Unsure => "not shown to be slower",
            GateResult::Fine => "not slower",
        };
        let percent = 100.0 * self.max_regression.unwrap_or_default();
        format!("{name}: {conclusion} than {} by more than {percent} %", self.reference_name)
    }

    /// Returns the positions with their depths.
    fn columns(&self) -> Vec<String> {
        let positions = self.contenders.first().map_or(&[][..], |result| &result.results);
        positions.iter().map(|position| format!("{} {}", position.position.label(), position.depth)).collect()
    }

    /// Returns the table of speeds and ratios.
    fn speeds(&self) -> Table {
        let means = ["geometric mean", "ratio", "95 % interval"].map(str::to_owned);
        let header = ["Mnps".to_owned()].into_iter().chain(self.columns()).chain(means);
        let row = |result: &ContenderResult| {
            let cell = |position: &PositionResult| {
                position.nodes_per_second.map_or_else(|| position.outcome.name().to_owned(), mega)
            };
            let ratio = result.overall.map_or_else(|| "-".to_owned(), |ratio| self.ratio(result, ratio));
            let of_others = result.overall.filter(|_| !self.is_reference(result));
            let interval = of_others.map_or_else(String::new, |ratio| bounds_text(&ratio.interval));
            let mean = result.nodes_per_second.map_or_else(|| "-".to_owned(), mega);
            [result.contender.name.clone()]
                .into_iter()
                .chain(result.results.iter().map(cell))
                .chain([mean, ratio, interval])
                .collect()
        };
        Table::new(header, self.contenders.iter().map(row))
    }

    /// Returns the table of times.
    fn times(&self) -> Table {
        let row = |result: &ContenderResult| {
            let times = result.results.iter().map(|position| position.time.clone());
            [result.contender.name.clone()].into_iter().chain(times).collect()
        };
        let header = ["mean time ± sd".to_owned()].into_iter().chain(self.columns());
        Table::new(header, self.contenders.iter().map(row))
    }
}

#[cfg(test)]
mod tests {
    use perft_diagnosis::random::Random;

    use super::*;
    use crate::commands::compare::contender::ContenderKind;
    use crate::output::environment::Build;
    use crate::output::{CountMode, Header, Machine, write_json};
    use crate::timing::fake::{FakeClock, FakeSource, task};
    use crate::timing::{Schedule, TimedSource};

    fn provenance() -> Provenance {
        Provenance {
            header: Header::new(0),
            machine: Machine { cpu: None, cores: 1, arch: "", os: "" },
            generator: "several",
            cpu_path: "several",
            sliders: None,
            threads: 1,
            table_bytes: 0,
            table: None,
            bulk: true,
            mode: CountMode::Plain,
            memory_bytes: 0,
        }
    }

    fn environment() -> Environment {
        let build = Build { profile: "", opt_level: "", target: "", compiler: "", flags: "", commit: None };
        Environment {
            build,
            cpu_features: Vec::new(),
            pinned_to: None,
            governor: None,
            os_version: None,
            load_average: None,
        }
    }

    /// Returns a report of contenders whose runs take these wall and processor times, in a cycle.
    fn compared(series: &[(&'static str, Vec<f64>, Vec<f64>)], runs: u32, reference: usize) -> CompareReport {
        let clock = FakeClock::default();
        let timed = |(name, wall, processor): &(&'static str, Vec<f64>, Vec<f64>)| {
            FakeSource::new(name, &clock, wall).with_processor_times(processor).timed(&clock)
        };
        let mut sources: Vec<TimedSource> = series.iter().map(timed).collect();
        let tasks = [task("start", 3), task("kiwipete", 2)];
        let schedule = Schedule { measure: Measure::Processor, warmup: 0, ..Schedule::default() }.fixed(runs);
        let measured = schedule.run_lenient(&tasks, &mut sources, &clock, |_| {});
        let kind = ContenderKind::Generator {
            generator: "bitboard",
            cpu_path: "portable",
            sliders: None,
            threads: 1,
        };
        let contender = |(name, ..): &(&str, _, _)| Contender {
            name: name.to_string(),
            command: "perft".to_owned(),
            kind: kind.clone(),
        };
        let contenders = series.iter().map(contender).collect();
        CompareReport::new(provenance(), environment(), contenders, &tasks, &measured, reference)
    }

    /// Returns times that differ a thousandfold.
    fn wild(random: &mut Random) -> Vec<f64> {
        (0..7).map(|_| 10_f64.powf(random.below(3000) as f64 / 1000.0 - 2.0)).collect()
    }

    /// Returns the text that `write` produces.
    fn written(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_ratio_lies_in_its_interval_and_is_the_same_in_all_formats() {
        let mut random = Random::new(1);
        for runs in 1..12 {
            let mut contender = |name| (name, wild(&mut random), wild(&mut random));
            let report = compared(&["first", "second"].map(&mut contender), runs, runs as usize % 2);
            let other = &report.contenders[1 - runs as usize % 2];
            let ratios = || other.results.iter().map(|result| result.ratio).chain([other.overall]).flatten();
            assert_eq!(ratios().count(), 3);
            let is_inside =
                |Ratio { value, interval }: Ratio| interval.low <= value && value <= interval.high;
            assert!(ratios().all(is_inside), "{:?}", ratios().collect::<Vec<_>>());

            let Ratio { value, interval } = other.overall.unwrap();
            let ratio = ratio_text(value);
            let cells = format!("{ratio}  {}", bounds_text(&interval));
            let text = written(|out| report.write_text(out));
            assert!(text.contains(&cells), "{cells}: {text}");
            let markdown = written(|out| report.write_markdown(out));
            assert!(markdown.contains(&format!("| {ratio} |")), "{ratio}: {markdown}");
            let json: serde_json::Value =
                serde_json::from_str(&written(|out| write_json(&report, true, out))).unwrap();
            assert_eq!(json["contenders"][1 - runs as usize % 2]["overall"]["value"].as_f64(), Some(value));
            let svg = written(|out| report.write_svg(out));
            let html = written(|out| report.write_html(out));
            assert!(svg.contains(&format!("(× {ratio})")), "{ratio}: {svg}");
            assert!(
                html.contains(&format!(">{ratio}</td>")) && html.contains(&format!("(× {ratio})")),
                "{html}"
            );
            // The conclusion puts the faster contender first.
            let faster =
                if value > 1.0 { Ratio { value, interval } } else { Ratio { value, interval }.inverse() };
            let headline = format!("It was {} times as fast as ", ratio_text(faster.value));
            assert!(html.contains(&headline), "{headline}: {html}");
        }
    }

    #[test]
    fn all_figures_are_of_one_kind_of_time() {
        // By the clock, the first contender is twice as fast as the second. By processor time, the second one is
        // faster.
        let figures = |last: f64| {
            let second = [vec![1.0; 5], vec![last]].concat();
            let report = compared(&[("first", vec![1.0], vec![2.0]), ("second", vec![2.0], second)], 3, 0);
            let json: serde_json::Value =
                serde_json::from_str(&written(|out| write_json(&report, true, out))).unwrap();
            let result = &json["results"][0];
            let speeds = [
                result["nodes_per_second"].as_f64().unwrap(),
                result["nodes_per_second_interval"]["low"].as_f64().unwrap(),
                8902.0 / result["median"].as_f64().unwrap(),
                8902.0 / result["times"][0].as_f64().unwrap(),
                8902.0 / result["median_interval"]["high"].as_f64().unwrap(),
            ];
            let csv = written(|out| report.write_csv(out));
            let text = written(|out| report.write_text(out));
            assert_eq!(text.matches(" time\n").count(), 1, "{text}");
            let measure = json["measure"].as_str().unwrap().to_owned();
            assert!(csv.lines().nth(1).unwrap().ends_with(&format!(",{measure}")), "{csv}");
            assert!(text.contains(&format!("all times are {measure} time")), "{text}");
            let raw = &result["measurements"][0];
            assert_eq!(
                (raw["time_wall_clock"]["value"].as_f64(), raw["time_cpu"]["value"].as_f64()),
                (Some(1.0), Some(2.0))
            );
            (
                measure,
                speeds,
                json["contenders"][1]["overall"]["value"].as_f64().unwrap(),
                report.conclusions()[0].clone(),
            )
        };
        let (measure, speeds, ratio, fastest) = figures(1.0);
        assert_eq!((measure.as_str(), speeds, ratio), ("processor", [4451.0; 5], 2.0));
        assert!(fastest.starts_with("second was the fastest"), "{fastest}");
        // The processor time of the last run is not known.
        let (measure, speeds, ratio, fastest) = figures(0.0);
        assert_eq!((measure.as_str(), speeds, ratio), ("wall", [8902.0; 5], 0.5));
        assert!(fastest.starts_with("first was the fastest"), "{fastest}");
    }

    #[test]
    fn slow_contenders_keep_three_digits() {
        let report = compared(&[("fast", vec![1e-4], vec![1e-4]), ("slow", vec![2.87], vec![2.87])], 3, 0);
        let (text, markdown) =
            (written(|out| report.write_text(out)), written(|out| report.write_markdown(out)));
        assert!(text.contains("0.00310") && markdown.contains(" 0.00310 |"), "{text}{markdown}");
        assert!(!text.contains(" 0.0 "), "{text}");
    }
}

//! Tests of the report: the same figures in all formats.

use perft_count::CpuPath;
use perft_diagnosis::random::Random;

use super::contenders::{Contender, ContenderKind, Runs};
use super::report::BenchReport;
use super::settings::Settings;
use crate::output::environment::{self, Environment};
use crate::output::numbers::with_margin;
use crate::output::{Format, emit};
use crate::timing::tests::{FakeSource, schedule, task};
use crate::timing::{Ratio, TimedSource};

/// Returns the runs of contenders that take these times, in a cycle.
fn timed(series: &[(&'static str, Vec<f64>)], runs: u32, reference: usize) -> Runs {
    let source = |(name, seconds): &(&'static str, Vec<f64>)| FakeSource::new(name, seconds).timed();
    let mut sources: Vec<TimedSource> = series.iter().map(source).collect();
    let tasks = [task("start", 3), task("kiwipete", 2)];
    let schedule = schedule().fixed(runs);
    let measured = schedule.run(&tasks, &mut sources, |_| {});
    let kind = ContenderKind::Generator(settings());
    let contender = |(name, _): &(&str, _)| Contender::new(name, "perft".to_owned(), kind.clone());
    let contenders = series.iter().map(contender).collect();
    let reference = Some(reference);
    Runs { contenders, measured, complete: true, reference, max_regression: None }
}

fn report(runs: Runs) -> BenchReport {
    runs.report(environment::machine(), Environment::of_bench(), Vec::new())
}

fn settings() -> Settings {
    Settings::new(&environment::provenance(CpuPath::Portable, 1, 0, true))
}

fn compared(series: &[(&'static str, Vec<f64>)], runs: u32, reference: usize) -> BenchReport {
    report(timed(series, runs, reference))
}

/// Returns times that differ a thousandfold.
fn wild(random: &mut Random) -> Vec<f64> {
    (0..7).map(|_| 10_f64.powf(random.below(3000) as f64 / 1000.0 - 2.0)).collect()
}

fn written(report: &BenchReport, format: Format) -> String {
    let mut out = Vec::new();
    emit(report, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn page(report: &BenchReport) -> String {
    let mut out = Vec::new();
    report.write_page(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn json(report: &BenchReport) -> serde_json::Value {
    serde_json::from_str(&written(report, Format::Json)).unwrap()
}

#[test]
fn no_figures_contradict_each_other_and_all_formats_have_the_same() {
    let mut random = Random::new(1);
    for runs in [1, 2, 3, 10, 33] {
        let mut contender = |name| (name, wild(&mut random));
        let report = compared(&["first", "second"].map(&mut contender), runs, runs as usize % 2);
        let other = &report.contenders[1 - runs as usize % 2];
        for pair in report.results.chunks(2) {
            let [own, reference] =
                if pair[0].contender == other.name { [&pair[0], &pair[1]] } else { [&pair[1], &pair[0]] };
            let Ratio { value, interval } = own.ratio.unwrap();
            let of_speeds = own.nodes_per_second / reference.nodes_per_second;
            assert!((value / of_speeds - 1.0).abs() < 1e-9, "{value} {of_speeds}");
            assert!(interval.low <= value && value <= interval.high, "{value} {interval:?}");
        }
        let text = written(&report, Format::Text);
        let html = page(&report).replace("<span>", "").replace("</span>", "");
        let conclusion = report.conclusion();
        assert!(html.contains(&conclusion.replace(" ± ", "\u{a0}±\u{a0}")), "{conclusion}: {html}");
        let Ratio { value, interval } = other.overall.unwrap();
        let cell = with_margin(value, interval.margin(value));
        assert!(text.contains(&format!(" {cell}")), "{cell}: {text}");
        let markdown = written(&report, Format::Markdown);
        assert!(markdown.contains(&format!(" {cell} |")), "{cell}: {markdown}");
        // serde_json may read a number that differs in the last bit.
        let read = json(&report)["contenders"][1 - runs as usize % 2]["overall"]["value"].as_f64().unwrap();
        assert!((read / value - 1.0).abs() < 1e-12, "{read} {value}");
        // The conclusion puts the faster contender first.
        let faster =
            if value > 1.0 { Ratio { value, interval } } else { Ratio { value, interval }.inverse() };
        let lead = format!(
            " ran {} times as fast as ",
            with_margin(faster.value, faster.interval.margin(faster.value))
        );
        assert!(conclusion.contains(&lead), "{lead}: {conclusion}");
    }
}

#[test]
fn a_page_escapes_text() {
    let mut runs = timed(&["a & b", "c"].map(|name| (name, vec![1.0])), 3, 0);
    runs.measured[0].task.position.name = Some("<h>".to_owned());
    let mut report = report(runs);
    report.machine.cpu = Some("<machine>".to_owned());
    report.warnings.push("<busy>".to_owned());
    let html = page(&report);
    for part in [
        "<title>Speed of a &amp; b and c</title>",
        "<h1>Speed of a &amp; b and c</h1>",
        "<p class=\"problem\">warning: &lt;busy&gt;</p>",
        "<br>&lt;machine&gt;, ",
        "<h2>&lt;h&gt; 3</h2>",
        "<b>a &amp; b</b>",
        "<p class=\"conclusion\">No difference was shown: a &amp; b ran ",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn the_verdict_comes_first_and_the_conclusion_last() {
    let lines = |seconds: &[f64], max_regression| {
        let new = ("new", seconds.to_vec());
        let mut runs = timed(&[new, ("old", vec![1.0])], 8, 1);
        runs.contenders[1].kind = ContenderKind::Build(settings());
        let text = written(&report(Runs { max_regression, ..runs }), Format::Text);
        (text.lines().next().unwrap().to_owned(), text.lines().last().unwrap().to_owned())
    };
    let (first, last) = lines(&[1.1], Some(0.05));
    assert_eq!(first, "gate: new is slower than old by more than 5 %");
    assert_eq!(last, "old ran 1.100 times as fast as new.");
    assert_eq!(lines(&[1.02], Some(0.025)).0, "gate: new is not slower than old by more than 2.5 %");
    let noisy = [1.0, 1.0, 1.2, 1.2];
    let unsure = "gate: new is not shown to be slower than old by more than 5 %; make more";
    assert_eq!(lines(&noisy, Some(0.05)).0, unsure);
    // The two positions take turns.
    assert_eq!(lines(&[1.2, 1.0], Some(0.15)).0, "gate: new is slower than old by more than 15 % in start 3");
    assert_eq!(lines(&[0.5], None).1, "new ran 2.000 times as fast as old.");
    assert_eq!(lines(&[1.0], None).1, "No difference was shown: new ran 1.000 times as fast as old.");
}

#[test]
fn saved_runs_are_not_paired_and_may_lack_positions() {
    let mut runs = timed(&[("new", vec![1.0])], 4, 1);
    let two = runs.measured[0].series[0][..2].to_vec();
    runs.measured[0].add_source(two);
    runs.measured[1].add_source(Vec::new());
    let saved =
        Contender { name: "saved".to_owned(), kind: ContenderKind::Baseline, ..runs.contenders[0].clone() };
    runs.contenders.push(saved);
    let report = report(runs);
    let ratios: Vec<Option<f64>> =
        report.results.iter().map(|result| result.ratio.map(|ratio| ratio.value)).collect();
    assert_eq!(ratios, [Some(1.0), Some(1.0), None], "two of the first position, and one of the second");
    assert_eq!(report.contenders[0].overall.map(|ratio| ratio.value), Some(1.0));
    assert_eq!(
        report.contenders.iter().map(|contender| contender.nodes_per_second.is_some()).collect::<Vec<_>>(),
        [true, false]
    );
    assert!(report.complete && report.failures.is_empty());
}

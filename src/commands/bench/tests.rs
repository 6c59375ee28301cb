//! Tests of the report: the same figures in all formats.

use perft_count::CpuPath;
use perft_diagnosis::random::Random;

use super::conditions::Environment;
use super::report::{BenchReport, Contender, ContenderKind, Runs};
use super::text::{interval_text, ratio_text};
use crate::output::{CountMode, Format, Settings, emit, environment};
use crate::timing::tests::{FakeSource, fixed, task};
use crate::timing::{Measure, Ratio, TimedSource};

/// Returns the runs of contenders that take these times, in a cycle.
fn timed(series: &[(&'static str, Vec<f64>)], runs: u32, reference: usize) -> Runs {
    let source = |(name, seconds): &(&'static str, Vec<f64>)| FakeSource::new(name, seconds).timed();
    let mut sources: Vec<TimedSource> = series.iter().map(source).collect();
    let measured = fixed(runs).measured(&[task("start", 3), task("kiwipete", 2)], &mut sources);
    let kind = ContenderKind::Generator(settings());
    let contender = |(name, _): &(&str, _)| Contender::new(name, "perft".to_owned(), kind.clone());
    let contenders = series.iter().map(contender).collect();
    let reference = Some(reference);
    Runs { contenders, measured, reference, measure: Measure::Time, max_regression: None, seconds: 61.0 }
}

fn report(runs: Runs) -> BenchReport {
    runs.report(true, environment::machine(), Environment::of_bench(), Vec::new())
}

fn settings() -> Settings {
    Settings::new(CountMode::Plain, CpuPath::Portable, 1)
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
fn all_formats_have_the_same_figures_and_every_bound_is_above_zero() {
    let mut random = Random::new(1);
    for runs in [1, 2, 3, 13, 33] {
        let mut contender = |name| (name, wild(&mut random));
        let report = compared(&["first", "second"].map(&mut contender), runs, runs as usize % 2);
        let (text, markdown, html) =
            (written(&report, Format::Text), written(&report, Format::Markdown), page(&report));
        let conclusion = report.conclusion();
        assert!(unfolded(&text).ends_with(&format!("{conclusion}\n")), "{conclusion}: {text}");
        assert!(html.contains(&format!("<p class=\"conclusion\">{conclusion}</p>")), "{conclusion}: {html}");
        let other = 1 - runs as usize % 2;
        let ratio = report.contenders[other].overall.unwrap();
        let Ratio { value, interval } = ratio;
        assert!(text.contains(&format!(" {}", ratio_text(&ratio))), "{ratio:?}: {text}");
        // serde_json may read a number that differs in the last bit.
        let read = json(&report)["contenders"][other]["overall"]["value"].as_f64().unwrap();
        assert!((read / value - 1.0).abs() < 1e-12, "{read} {value}");
        assert_eq!(interval.is_some(), runs >= 13);
        let Some(interval) = interval else {
            assert!(conclusion.contains(" not carry a comparison of "), "{conclusion}");
            continue;
        };
        assert!(0.0 < interval.low && interval.low <= value && value <= interval.high, "{interval:?}");
        let cells = format!(" {} | {} |", ratio_text(&ratio), interval_text(interval));
        let cell_by_cell = markdown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(cell_by_cell.contains(&cells), "{cells}: {markdown}");
        // The conclusion puts the faster contender first.
        let faster = if value > 1.0 { ratio } else { ratio.inverse() };
        let bounds = interval_text(faster.interval.unwrap());
        let lead = format!(" ran {} (99 % interval: {bounds}) times as fast as ", ratio_text(&faster));
        assert!(conclusion.contains(&lead), "{lead}: {conclusion}");
    }
}

fn unfolded(text: &str) -> String {
    let (rest, last) = text.trim_end().rsplit_once("\n\n").unwrap();
    format!("{rest}\n\n{}\n", last.replace('\n', " "))
}

#[test]
fn a_page_escapes_text() {
    let mut runs = timed(&["a & b", "c"].map(|name| (name, vec![1.0])), 13, 0);
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
        " font-weight=\"bold\">a &amp; b</text>",
        "<p class=\"conclusion\">No difference was shown: c ran ",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn the_verdict_comes_first_and_the_conclusion_last() {
    let lines = |seconds: &[f64], runs, max_regression| {
        let new = ("new", seconds.to_vec());
        let mut runs = timed(&[new, ("old", vec![1.0])], runs, 1);
        runs.contenders[1].kind = ContenderKind::Build(settings());
        let text = unfolded(&written(&report(Runs { max_regression, ..runs }), Format::Text));
        let [first, last] =
            [text.split("\n\n").next().unwrap(), text.trim_end().rsplit("\n\n").next().unwrap()];
        (first.replace("\n  ", " "), last.to_owned())
    };
    let (first, last) = lines(&[1.1], 13, Some(0.05));
    assert_eq!(first, "gate: new is slower than old by more than 5 %");
    assert_eq!(last, "old ran 1.100 (99 % interval: 1.100 to 1.100) times as fast as new, by elapsed time.");
    assert_eq!(lines(&[1.02], 13, Some(0.025)).0, "gate: new is not slower than old by more than 2.5 %");
    let unsure = "gate: new may be slower than old by more than 5 % or not: this could not be decided within 61 s and \
                  20 runs; more --max-time or --runs may decide";
    // The two positions take turns.
    assert_eq!(lines(&[1.0, 1.0, 1.2, 1.2], 20, Some(0.05)).0, unsure);
    assert_eq!(
        lines(&[1.2, 1.0], 13, Some(0.15)).0,
        "gate: new is slower than old by more than 15 % in start 3"
    );
    let equal = "No difference was shown: new ran 1.000 (99 % interval: 1.000 to 1.000) times as fast as old, by \
                 elapsed time.";
    assert_eq!(lines(&[1.0], 13, None).1, equal);
    // Ten runs are too few for three intervals: two positions and their mean.
    for (runs, made) in [(1, "1 run does"), (2, "2 runs do"), (10, "10 runs do")] {
        let (first, last) = lines(&[1.5], runs, Some(0.05));
        assert!(first.starts_with("gate: new may be slower than old by more than 5 % or not: "), "{first}");
        assert_eq!(last, format!("{made} not carry a comparison of old and new: make 11 or more."));
    }
}

#[test]
fn saved_runs_are_paired_as_far_as_they_go_and_may_lack_positions() {
    let mut runs = timed(&[("new", vec![1.0])], 4, 1);
    let two = runs.measured[0].series[0][..2].to_vec();
    let saved: [&[_]; 2] = [&two, &[]];
    runs.measured =
        runs.measured.into_iter().zip(saved).map(|(measured, saved)| measured.with_saved(saved)).collect();
    let kind = ContenderKind::Baseline { saved_name: "old".to_owned() };
    runs.contenders.push(Contender::new("saved", "./old".to_owned(), kind));
    let report = report(runs);
    let ratios: Vec<Option<f64>> =
        report.results.iter().map(|result| result.ratio.map(|ratio| ratio.value)).collect();
    assert_eq!(ratios, [Some(1.0), None, None], "two of the first position, and one of the second");
    assert_eq!(report.contenders[0].overall.map(|ratio| ratio.value), Some(1.0));
    assert_eq!(
        report.contenders.iter().map(|contender| contender.nodes_per_second.is_some()).collect::<Vec<_>>(),
        [true, false]
    );
    assert!(report.complete && report.failures.is_empty());
}

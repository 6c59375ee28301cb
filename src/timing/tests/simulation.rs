//! Gates with a simulated clock: how often are equal programs told apart, and how often is a slow one found?
//!
//! The times of a program are disturbed as on shared machines: by heavy tails, by a drift, by bursts of load, or as in
//! the file that `PERFT_PAIRS` names, a report of `perft bench` about two equal programs. `scripts/bench-figures` makes
//! such a file. Each simulation takes consecutive pairs of the file, because the load of neighbours is alike.
//!
//!     PERFT_SIMULATIONS=2000 cargo test --release --lib simulation -- --nocapture

use std::time::Duration;

use perft_diagnosis::random::Random;

use super::{FakeSource, task};
use crate::timing::{Costs, GateResult, Interval, Measure, Measured, Ratios, Sample, Schedule};

/// The allowed slowdown of the gates.
const ALLOWED: f64 = 0.05;

/// The largest number of rounds of a gate.
const ROUNDS: usize = 200;

/// Times of two equal programs, in the order of the rounds.
type Pairs = Vec<[f64; 2]>;

/// How a load disturbs the times.
type Model = fn(&mut Random) -> Pairs;

fn uniform(random: &mut Random) -> f64 {
    (1 + random.below(1 << 30)) as f64 / f64::from(1 << 30)
}

/// Runs of a program of 25 ms that are now and then much slower.
fn heavy_tails(random: &mut Random) -> Pairs {
    let mut time = || 0.025 * (1.0 + 0.03 * (uniform(random).powf(-1.0 / 1.5) - 1.0));
    (0..ROUNDS).map(|_| [time(), time()]).collect()
}

/// Runs that become slower by half. The order of the two programs alternates.
fn drift(random: &mut Random) -> Pairs {
    let mut time = |run: usize| {
        let noise = 1.0 + 0.04 * (uniform(random) + uniform(random) - 1.0);
        0.025 * noise * (1.0 + 0.5 * run as f64 / (2 * ROUNDS) as f64)
    };
    let pair = |round| {
        let [first, second] = [time(2 * round), time(2 * round + 1)];
        if round % 2 == 0 { [first, second] } else { [second, first] }
    };
    (0..ROUNDS).map(pair).collect()
}

/// Runs that take nearly twice as long while another program runs, which starts and ends now and then.
fn bursts(random: &mut Random) -> Pairs {
    let mut is_busy = false;
    let mut time = || {
        is_busy ^= uniform(random) < if is_busy { 0.15 } else { 0.06 };
        0.025 * (1.0 + 0.02 * uniform(random)) * if is_busy { 1.8 } else { 1.0 }
    };
    (0..ROUNDS).map(|_| [time(), time()]).collect()
}

/// Returns the costs of the pairs of a report, if `PERFT_PAIRS` names one.
fn recorded(measure: Measure) -> Option<Pairs> {
    let text = std::fs::read_to_string(std::env::var_os("PERFT_PAIRS")?).expect("a report of perft bench");
    let report: serde_json::Value = serde_json::from_str(&text).expect("a report of perft bench");
    let costs = [0, 1].map(|index: usize| -> Vec<f64> {
        let runs: Vec<Sample> =
            serde_json::from_value(report["results"][index]["measurements"].clone()).unwrap();
        runs.iter().filter_map(|run| run.cost(measure)).collect()
    });
    Some(costs[0].iter().zip(&costs[1]).map(|(&a, &b)| [a, b]).collect())
}

/// What a gate has said, with its number of rounds.
struct Said {
    gate: GateResult,
    names_a_faster_one: bool,
    rounds: usize,
}

/// Runs a gate about a program that takes `factor` times as long as its equal.
fn gate(pairs: &[[f64; 2]], factor: f64) -> Said {
    let times = [0, 1].map(|index: usize| -> Vec<f64> {
        pairs.iter().map(|pair| if index == 0 { pair[0] * factor } else { pair[1] }).collect()
    });
    let mut sources =
        [("new", &times[0]), ("old", &times[1])].map(|(name, times)| FakeSource::new(name, times).timed());
    let mut all = [Measured::new(&task("start", 1), 2)];
    let is_decided = |all: &[Measured]| {
        let found = Ratios::new(&[all[0].costs(0, 1, Measure::Time)], 1);
        let gate = found.gate(ALLOWED).unwrap();
        gate != GateResult::Unsure
    };
    let schedule = Schedule { warmup: 0, max_rounds: pairs.len() as u32, max_time: Duration::MAX };
    schedule.run(&mut all, &mut sources, is_decided, |_| {});
    let Costs { own, reference } = all[0].costs(0, 1, Measure::Time);
    let ratio = Ratios::new(&[Costs { own, reference }], 1).overall.unwrap();
    let excludes_one = |Interval { low, high }: Interval| low > 1.0 || high < 1.0;
    Said {
        gate: ratio.gate(ALLOWED),
        names_a_faster_one: ratio.interval.is_some_and(excludes_one),
        rounds: all[0].rounds,
    }
}

/// Simulates gates. Returns how many failed, were undecided, and named a faster program, and prints a row.
fn simulate(name: &str, factor: f64, mut pairs: impl FnMut(&mut Random) -> Pairs) -> [f64; 3] {
    let count = std::env::var("PERFT_SIMULATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(200);
    let mut random = Random::new(1);
    let all: Vec<Said> = (0..count).map(|_| gate(&pairs(&mut random), factor)).collect();
    let part =
        |has: &dyn Fn(&Said) -> bool| all.iter().filter(|said| has(said)).count() as f64 / count as f64;
    let found = [
        part(&|said| said.gate == GateResult::Slower),
        part(&|said| said.gate == GateResult::Unsure),
        part(&|said| said.names_a_faster_one),
    ];
    let rounds = all.iter().map(|said| said.rounds).sum::<usize>() as f64 / count as f64;
    let [fails, undecided, faster] = found.map(|part| format!("{:.1} %", 100.0 * part));
    println!("| {name} | {factor} | {fails} | {undecided} | {faster} | {rounds:.0} |");
    found
}

#[test]
fn a_gate_tells_equal_programs_from_slow_ones() {
    println!("| load | time | gate fails | undecided | one is faster | rounds |\n|---|---|---|---|---|---|");
    let models: [(&str, Model); 3] = [("heavy tails", heavy_tails), ("drift", drift), ("bursts", bursts)];
    for (name, model) in models {
        let [fails, _, faster] = simulate(name, 1.0, model);
        assert!(fails == 0.0 && faster <= 0.015, "{name}: {fails} {faster}");
        simulate(name, 1.03, model);
        let [found, ..] = simulate(name, 1.1, model);
        assert!(found >= 0.95, "{name}: {found}");
    }
    for measure in [Measure::Time, Measure::Cpu] {
        let Some(recorded) = recorded(measure) else { continue };
        for factor in [1.0, 1.03, 1.1] {
            simulate(measure.name(), factor, |random| {
                let first = random.below(recorded.len());
                let swaps = random.below(2) == 1;
                let pair = |[a, b]: [f64; 2]| if swaps { [b, a] } else { [a, b] };
                recorded.iter().cycle().skip(first).take(ROUNDS).map(|&both| pair(both)).collect()
            });
        }
    }
}

//! Compares the speeds of two programs, and decides whether one is too slow.
//!
//! A ratio is a ratio of speeds: 1.05 means five percent faster than the reference. Times that were measured in turns
//! are *paired*: a disturbance of one round affects both programs and cancels out. Times of different days are
//! *independent*. The intervals come from the bootstrap. They hold for all positions and for the overall ratio at the
//! same time.
//!
//! There are two ways to compute a ratio: from the median times, or round by round. If they contradict each other, the
//! machine was too busy, and there is no ratio.

use perft_diagnosis::random::Random;
use statrs::statistics::Statistics;

use super::statistics::{Bootstrap, Interval, draw, median, median_in_place};

/// The part by which the two ways to compute a ratio may always differ.
const TOLERANCE: f64 = 1e-3;

/// The times of one position in seconds. A program without times has failed there, or did not run.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The times of the program that is judged.
    pub own: Vec<f64>,
    /// The times of the reference.
    pub reference: Vec<f64>,
}

impl Times {
    fn ratio_of_medians(&self) -> f64 {
        median(&self.reference) / median(&self.own)
    }
}

/// A ratio of speeds. Above 1 is faster than the reference.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Ratio {
    /// The ratio.
    pub value: f64,
    /// The confidence interval of the ratio.
    pub interval: Interval,
}

/// The ratios of a program to the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// The ratio in each position; `None` if one of the two has no times there, or if the machine was too busy.
    pub positions: Vec<Option<Ratio>>,
    /// The geometric mean of the positions, which treats faster and slower alike (Fleming and Wallace, "How Not To Lie
    /// With Statistics", 1986). `None` if the program has no times in a position that the reference has, because the
    /// mean would then describe other positions than those of other programs. It is also `None` without any position,
    /// and if the machine was too busy.
    pub overall: Option<Ratio>,
    /// Whether there is no overall ratio because it, or that of a position, and the ratio of the median times differ by
    /// more than its interval.
    pub is_too_busy: bool,
}

/// Whether a ratio is within an allowed loss of speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateResult {
    /// The whole interval is slower than allowed.
    Slower,
    /// The bound is inside the interval, or the machine was too busy for a ratio. More runs would decide.
    Unsure,
    /// The whole interval is within the allowed loss.
    Fine,
}

impl Ratio {
    /// Returns the ratio of the reference to this program.
    pub fn inverse(&self) -> Ratio {
        let Interval { low, high } = self.interval;
        Ratio { value: 1.0 / self.value, interval: Interval { low: 1.0 / high, high: 1.0 / low } }
    }

    /// Compares the ratio with an allowed loss of speed: 0.05 allows five percent slower than the reference.
    pub fn gate(&self, allowed_loss: f64) -> GateResult {
        let bound = 1.0 - allowed_loss;
        if self.interval.high < bound {
            GateResult::Slower
        } else if self.interval.low >= bound {
            GateResult::Fine
        } else {
            GateResult::Unsure
        }
    }
}

impl Ratios {
    /// Returns the ratios of times that were not measured in turns: the ratio of the medians.
    pub fn independent(times: &[Times], bootstrap: &Bootstrap) -> Ratios {
        let mut drawn = Vec::new();
        Ratios::of(times, bootstrap, Times::ratio_of_medians, |times, random| {
            draw(&times.reference, random, &mut drawn);
            let reference = median_in_place(&mut drawn);
            draw(&times.own, random, &mut drawn);
            reference / median_in_place(&mut drawn)
        })
    }

    /// Returns the ratios of times that were measured in turns: the median of the ratios of each round. Rounds that
    /// only one program ran are left out.
    pub fn paired(times: &[Times], bootstrap: &Bootstrap) -> Ratios {
        let ratio = |times: &Times| median(&rounds(times).collect::<Vec<f64>>());
        let mut drawn = Vec::new();
        Ratios::of(times, bootstrap, ratio, |times, random| {
            let rounds = times.own.len().min(times.reference.len());
            drawn.clear();
            drawn.extend((0..rounds).map(|_| {
                let round = random.below(rounds);
                times.reference[round] / times.own[round]
            }));
            median_in_place(&mut drawn)
        })
    }

    fn of(
        times: &[Times],
        bootstrap: &Bootstrap,
        ratio: impl Fn(&Times) -> f64,
        mut redraw: impl FnMut(&Times, &mut Random) -> f64,
    ) -> Ratios {
        let has_both = |times: &&Times| !times.own.is_empty() && !times.reference.is_empty();
        let compared: Vec<&Times> = times.iter().filter(has_both).collect();
        let samples = compared.iter().map(|times| times.own.len() + times.reference.len()).sum();
        let intervals = if compared.len() == 1 { 1 } else { compared.len() + 1 };
        let bootstrap = bootstrap.for_samples(samples).for_several(intervals);
        let mut is_too_busy = false;
        let mut of = |compared: &[&Times]| {
            let value = compared.iter().map(|times| ratio(times)).geometric_mean();
            let of_medians = compared.iter().map(|times| times.ratio_of_medians()).geometric_mean();
            let mean =
                |random: &mut Random| compared.iter().map(|times| redraw(times, random)).geometric_mean();
            let interval = bootstrap.interval_of(value, mean);
            let allowed = interval.low * (1.0 - TOLERANCE)..=interval.high * (1.0 + TOLERANCE);
            let is_consistent = allowed.contains(&of_medians);
            is_too_busy |= !is_consistent;
            is_consistent.then_some(Ratio { value, interval })
        };
        let is_missing = |times: &Times| times.own.is_empty() && !times.reference.is_empty();
        let has_overall = !compared.is_empty() && !times.iter().any(is_missing);
        let positions = times.iter().map(|times| has_both(&times).then(|| of(&[times])).flatten()).collect();
        let overall = has_overall.then(|| of(&compared)).flatten();
        let is_too_busy = is_too_busy && has_overall;
        Ratios { positions, overall: overall.filter(|_| !is_too_busy), is_too_busy }
    }

    /// Compares all ratios with an allowed loss of speed. One position that is too slow makes the whole result
    /// [`GateResult::Slower`]; otherwise the overall ratio decides. Returns `None` if the program has no times in a
    /// position of the reference.
    pub fn gate(&self, allowed_loss: f64) -> Option<GateResult> {
        let busy = Some(GateResult::Unsure).filter(|_| self.is_too_busy);
        let overall = self.overall.map(|ratio| ratio.gate(allowed_loss)).or(busy)?;
        let mut positions = self.positions.iter().flatten();
        match positions.any(|ratio| ratio.gate(allowed_loss) == GateResult::Slower) {
            true => Some(GateResult::Slower),
            false => Some(overall),
        }
    }
}

fn rounds(times: &Times) -> impl Iterator<Item = f64> {
    times.own.iter().zip(&times.reference).map(|(own, reference)| reference / own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::statistics::tests::uniform;

    #[test]
    fn a_ratio_is_compared_with_the_allowed_loss() {
        let ratio = Ratio { value: 0.95, interval: Interval { low: 0.94, high: 0.96 } };
        assert_eq!(ratio.gate(0.03), GateResult::Slower);
        assert_eq!(ratio.gate(0.05), GateResult::Unsure);
        assert_eq!(ratio.gate(0.10), GateResult::Fine);
    }

    #[test]
    fn independent_ratios_are_those_of_the_medians() {
        let times = Times { own: vec![1.0, 1.1, 1.0], reference: vec![2.0, 2.0, 2.1] };
        assert_eq!(Ratios::independent(&[times], &Bootstrap::default()).overall.unwrap().value, 2.0);
    }

    /// Returns times of about a second, with noise and a drift from round to round.
    fn noisy(scale: f64, noise: f64, drift: f64, random: &mut Random) -> Vec<f64> {
        (0..12)
            .map(|round| scale * (1.0 + drift * f64::from(round)) * (1.0 + noise * (uniform(random) - 0.5)))
            .collect()
    }

    #[test]
    fn a_drift_does_not_disturb_paired_times() {
        let mut random = Random::new(3);
        let own = noisy(1.05, 0.01, 0.05, &mut random);
        let reference = noisy(1.0, 0.01, 0.05, &mut random);
        let times = [Times { own, reference }];
        let paired = Ratios::paired(&times, &Bootstrap::default());
        let independent = Ratios::independent(&times, &Bootstrap::default());
        assert_eq!(paired.gate(0.03), Some(GateResult::Slower));
        assert_eq!(independent.gate(0.03), Some(GateResult::Unsure));
    }

    #[test]
    fn only_a_slower_program_fails_the_gate() {
        let mut failures = [0, 0];
        for seed in 0..100 {
            let mut random = Random::new(seed);
            for (index, slowness) in [1.0, 1.05].into_iter().enumerate() {
                let mut noisy = |scale| noisy(scale, 0.06, 0.0, &mut random);
                let times: Vec<Times> =
                    (0..4).map(|_| Times { own: noisy(slowness), reference: noisy(1.0) }).collect();
                let bootstrap = Bootstrap { resamples: 1000, seed, ..Bootstrap::default() };
                failures[index] +=
                    u32::from(Ratios::paired(&times, &bootstrap).gate(0.03) == Some(GateResult::Slower));
            }
        }
        assert_eq!(failures[0], 0, "equal programs");
        assert!(failures[1] >= 50, "{} of 100", failures[1]);
    }

    #[test]
    fn a_ratio_lies_in_its_interval_even_if_all_that_is_drawn_is_on_one_side_of_it() {
        // The median is that of the two equal rounds, but in every third draw it is that of the other round.
        let times = vec![Times { own: vec![1.0; 3], reference: vec![1.0, 1.0, 1e9] }; 60];
        for ratios in [Ratios::paired, Ratios::independent] {
            let ratios = ratios(&times, &Bootstrap { resamples: 1000, ..Bootstrap::default() });
            for ratio in ratios.positions.into_iter().chain([ratios.overall]) {
                let Ratio { value, interval } = ratio.unwrap();
                assert!(interval.low <= value && value <= interval.high, "{value} {interval:?}");
            }
        }
    }

    #[test]
    fn there_is_no_ratio_if_the_medians_contradict_it() {
        // Most rounds agree, but each program was disturbed in other rounds, and one of them much more.
        let own = [1.0; 7].into_iter().chain([3.0; 6]).collect();
        let reference = [0.9; 6].into_iter().chain([9.0; 7]).collect();
        let busy = Times { own, reference };
        let fine = Times { own: vec![1.0; 13], reference: vec![2.0; 13] };
        let ratios = Ratios::paired(&[busy.clone(), fine], &Bootstrap::default());
        assert!(ratios.is_too_busy && ratios.overall.is_none(), "{ratios:?}");
        assert_eq!(ratios.positions.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
        assert_eq!(ratios.gate(0.05), Some(GateResult::Unsure));
        let failed = Times { own: Vec::new(), reference: vec![1.0; 13] };
        assert_eq!(Ratios::paired(&[busy, failed], &Bootstrap::default()).gate(0.05), None);
    }

    #[test]
    fn one_slow_position_fails_the_gate() {
        let times = [1.0, 1.2].map(|own| Times { own: vec![own; 8], reference: vec![1.0; 8] });
        let ratios = Ratios::paired(&times, &Bootstrap::default());
        assert_eq!(ratios.positions[0].unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.overall.unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.gate(0.1), Some(GateResult::Slower));
    }

    #[test]
    fn the_mean_is_over_the_positions_of_the_reference() {
        let (none, some): (&[f64], &[f64]) = (&[], &[1.0; 3]);
        let ratios = |own: [&[f64]; 2], reference: [&[f64]; 2]| {
            let times =
                [0, 1].map(|index| Times { own: own[index].to_vec(), reference: reference[index].to_vec() });
            let Ratios { positions, overall, .. } = Ratios::paired(&times, &Bootstrap::default());
            (positions.iter().map(Option::is_some).collect::<Vec<_>>(), overall.map(|ratio| ratio.value))
        };
        assert_eq!(ratios([some, some], [some, none]), (vec![true, false], Some(1.0)));
        assert_eq!(ratios([some, none], [some, some]), (vec![true, false], None));
        assert_eq!(ratios([none, some], [some, none]), (vec![false, false], None));
    }
}

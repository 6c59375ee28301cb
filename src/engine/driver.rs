//! Our own driver as a source of counts.

use perft_core::StopSignal;
use perft_count::{Perft, Progress, Table};
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError};

use super::usage::process_usage;

/// A driver in this process. It answers with the total only.
#[derive(Debug)]
pub struct DriverSource {
    perft: Perft,
    /// The size of a fresh table in bytes.
    fresh_table: Option<usize>,
    cost: Cost,
}

impl DriverSource {
    /// Makes a source from a driver without changing it.
    pub fn new(perft: Perft) -> DriverSource {
        DriverSource { perft, fresh_table: None, cost: Cost::default() }
    }

    /// Gives the driver an empty transposition table in each call of [`CountSource::prepare`]. Otherwise a timed run
    /// would find the entries of the run before it.
    pub fn with_fresh_table(self, bytes: usize) -> DriverSource {
        DriverSource { fresh_table: Some(bytes), ..self }
    }
}

impl CountSource for DriverSource {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        self.cost = Cost::default();
        let position = question.end()?;
        let before = process_usage();
        let counted = self.perft.count_with_progress(&position, question.depth, &Progress::new(stop.clone()));
        let after = process_usage();
        let nodes = counted.map_err(|_| SourceError::Interrupted)?;
        let usage = before.zip(after).map(|(before, after)| after.since(before));
        self.cost = Cost { elapsed: None, processor_time: usage.map(|usage| usage.processor_time()), usage };
        Ok(Answer { stated_total: Some(nodes), ..Answer::default() })
    }

    /// Replaces the table, if there is one, by an empty one.
    fn prepare(&mut self, _: &StopSignal) -> Result<(), SourceError> {
        if let Some(bytes) = self.fresh_table {
            let table = Table::new(bytes, 0).map_err(|error| SourceError::CannotCount(error.to_string()))?;
            self.perft = std::mem::take(&mut self.perft).table(table);
        }
        Ok(())
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

#[cfg(test)]
mod tests {
    use perft_core::Position;

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn question(depth: u32) -> Question {
        Question::new(&Position::from_fen(KIWIPETE).unwrap(), depth)
    }

    #[test]
    fn counts_below_the_moves_of_a_question() {
        let mut source = DriverSource::new(Perft::new());
        let mut total = |question| source.ask(&question, &StopSignal::default()).unwrap().total();
        assert_eq!(total(question(4)), 4_085_603);
        assert_eq!(total(Question { moves: vec!["e1g1".to_owned()], ..question(3) }), 86_975);
        assert_eq!(source.cost().usage.is_some(), cfg!(unix));
    }

    #[test]
    fn each_prepared_question_has_an_empty_table() {
        let mut source = DriverSource::new(Perft::new()).with_fresh_table(1 << 20);
        let stop = StopSignal::default();
        let mut probes = || {
            source.prepare(&stop).unwrap();
            source.ask(&question(4), &stop).unwrap();
            let statistics = source.perft.table_statistics().unwrap();
            (statistics.probes, statistics.hits)
        };
        assert_eq!(probes(), probes());
    }
}

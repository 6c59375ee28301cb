//! The tables of a report.

use super::contender::ContenderResult;
use super::measurement::Measurement;
use super::report::BenchReport;
use super::tasks::TaskInfo;
use crate::output::Table;
use crate::output::numbers::{bounds_text, duration, mega, ratio_text};
use crate::timing::{GateResult, Ratio};

impl BenchReport {
    /// Returns the table of all figures, with a row for each position and contender. It has a column for the contender
    /// if there are several.
    pub fn details(&self) -> Table {
        let has_several = self.contenders.len() > 1;
        let contender = has_several.then_some("program");
        let columns =
            ["depth", "median", "mean ± sd", "min", "max", "Mnps", "95 % interval", "runs", "outliers"];
        let header = ["position"].into_iter().chain(contender).chain(columns);
        let row = |result: &Measurement| {
            let contender = has_several.then(|| result.contender.clone());
            let position = result.task.position.label().to_owned();
            [position].into_iter().chain(contender).chain(figures(result)).collect()
        };
        let names = if has_several { 3 } else { 2 };
        Table::new(header, self.results.iter().map(row)).named_by(names)
    }

    /// Returns the table of the ratios of a contender to the reference, with a row for each position.
    pub fn ratios(&self, of: &ContenderResult) -> Table {
        let own = self.results.iter().filter(|result| result.contender == of.contender.name);
        let compared = own.filter_map(|result| Some((result, result.ratio?)));
        let rows: Vec<Vec<String>> = compared
            .map(|(Measurement { task, gate, .. }, ratio)| {
                ratio_row(task.position.label(), Some(task.depth), &ratio, *gate)
            })
            .collect();
        let mean = of.overall.filter(|_| rows.len() > 1).map(|ratio| {
            let gate = self.max_regression.map(|allowed| ratio.gate(allowed));
            ratio_row("geometric mean", None, &ratio, gate)
        });
        let header = ["position", "depth", "speed ratio", "95 % interval", ""];
        Table::new(header, rows.into_iter().chain(mean))
    }

    /// Returns the table of speeds, with a row for each contender and a column for each position.
    pub fn speeds(&self) -> Table {
        let row = |result: &ContenderResult, cells: Vec<String>| {
            let is_reference = self.is_reference(&result.contender.name);
            let [ratio, interval] = match result.overall {
                None => ["-".to_owned(), String::new()],
                Some(_) if is_reference => ["1".to_owned(), String::new()],
                Some(ratio) => [ratio_text(ratio.value), bounds_text(&ratio.interval)],
            };
            let mean = result.nodes_per_second.map_or_else(|| "-".to_owned(), mega);
            [cells, vec![mean, ratio, interval]].concat()
        };
        let speed = |measurement: &Measurement| mega(measurement.nodes_per_second);
        let mut table = self.matrix("Mnps", speed);
        table.header.extend(["geometric mean", "ratio", "95 % interval"].map(str::to_owned));
        table.rows =
            self.contenders.iter().zip(table.rows).map(|(result, cells)| row(result, cells)).collect();
        table
    }

    /// Returns the table of times, with a row for each contender and a column for each position.
    pub fn times(&self) -> Table {
        self.matrix("mean time ± sd", Measurement::mean_and_deviation)
    }

    /// Returns a table with a row for each contender and a column for each position. `cell` writes a measurement. If
    /// there is none, the cell says why.
    fn matrix(&self, corner: &str, cell: impl Fn(&Measurement) -> String) -> Table {
        let header = [corner.to_owned()].into_iter().chain(self.tasks.iter().map(TaskInfo::name));
        let row = |result: &ContenderResult| {
            let cell = |task: &TaskInfo| self.measurement(result, task).map_or_else(str::to_owned, &cell);
            [result.contender.name.clone()].into_iter().chain(self.tasks.iter().map(cell)).collect()
        };
        Table::new(header, self.contenders.iter().map(row))
    }
}

/// Returns the cells of a measurement from the depth on.
fn figures(result: &Measurement) -> [String; 9] {
    let speed = result.nodes_per_second_interval;
    [
        result.task.depth.to_string(),
        duration(result.timings.spread.median),
        result.mean_and_deviation(),
        duration(result.timings.spread.min),
        duration(result.timings.spread.max),
        mega(result.nodes_per_second),
        format!("{} .. {}", mega(speed.low), mega(speed.high)),
        result.runs.to_string(),
        result.outliers.len().to_string(),
    ]
}

fn ratio_row(name: &str, depth: Option<u32>, ratio: &Ratio, gate: Option<GateResult>) -> Vec<String> {
    let gate = match gate {
        None => "",
        Some(GateResult::Fine) => "fine",
        Some(GateResult::Unsure) => "unsure",
        Some(GateResult::Slower) => "slower",
    };
    vec![
        name.to_owned(),
        depth.map_or_else(String::new, |depth| depth.to_string()),
        ratio_text(ratio.value),
        bounds_text(&ratio.interval),
        gate.to_owned(),
    ]
}

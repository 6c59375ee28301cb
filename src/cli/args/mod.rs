//! Arguments that several commands share, each defined once and flattened into the commands that take it.

mod counting;
mod exact;
mod impossible;
mod output;
mod position;
mod values;
mod words;

pub use counting::{Counting, CountingArgs, HashArgs, MachineArgs, UnitCountingArgs, driver};
pub use exact::{ExactArgs, merging_memory};
pub use impossible::ImpossibleArgs;
pub use output::FormatArgs;
pub use position::{PositionArgs, Root, names_and_depth, one_depth, read_words};
pub use values::{
    CpuChoice, ENGINE_MAX_NODES, MemorySize, Threads, cpu_choices, generators, parse_depth, parse_nodes,
    parse_seconds, parse_seconds_or_0, slider_methods, time_limit,
};
pub use words::{TypedPosition, is_board, is_number, joined};

//! The words that give the meaning of a number.

/// Returns a list of words. Words with letters outside ASCII follow as strings, after a semicolon.
macro_rules! words {
    ($($word:ident)* $(; $($unusual:literal)*)?) => { &[$(stringify!($word),)* $($($unusual),*)?] };
}

/// Words for leaf nodes.
pub(super) const LEAVES: &[&str] = words![leaves leafs leaf leafnodes];

/// Words for nodes. They can be units: `8902 nodes`.
pub(super) const NODES: &[&str] = words![nodes node leaves leafs leaf leafnodes nodecount positions];

/// Words before a number of nodes. They can also be before other numbers.
pub(super) const TOTAL: &[&str] = words![total searched count counted perft result sum found];

/// Words for a depth. The number after them may be followed by the count, as in `Depth 3: 8902`.
pub(super) const DEPTH: &[&str] = words![depth ply plies d];

/// Commands. The number after them is the depth, unless there is a colon: `perft 3`, but `perft: 8902`.
pub(super) const COMMANDS: &[&str] = words![perft divide bulk];

/// Words that usually name the number after them. They are seldom the unit of the number before them.
pub(super) const LABELS: &[&str] = words![time nps knps mnps speed depth ply hash];

/// Words that say nothing about the numbers around them.
pub(super) const FILLERS: &[&str] = words![in at and with took];

/// Words that give a number another meaning than a number of nodes.
pub(super) const OTHER: &[&str] = words![
    time nps knps mnps gnps speed depth ply plies hash hashfull tbhits second seconds sec secs s ms msec
    msecs millis milliseconds microseconds us nanoseconds ns min minutes per elapsed took threads
    thread mb kb gb mib bytes memory cpu cpus cores version eval evaluation score cp mate hits captures
    checks castles castling promotions ep mates checkmates stalemates fen k m x kn mn thousand million
    billion average rate test expected interior internal inner seed halfmove fullmove cycles; "µs" "μs"
];

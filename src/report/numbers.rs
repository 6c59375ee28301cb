//! Node counts, speeds and times, for programs and for people.

use serde::Serialize;

/// A node count. In JSON it is the field `nodes`, and also `nodes_text` beyond 2^53, where many readers round integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(into = "NodesFields")]
pub struct Nodes(pub u128);

/// The fields of a node count.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NodesFields {
    /// The number of nodes.
    nodes: u128,
    /// The same number as text, if it is above 2^53. Many JSON readers round such integers.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_text: Option<String>,
}

impl From<Nodes> for NodesFields {
    fn from(Nodes(nodes): Nodes) -> NodesFields {
        /// The largest count that every JSON reader reads exactly.
        const MAX_PORTABLE: u128 = 1 << 53;
        NodesFields { nodes, nodes_text: (nodes > MAX_PORTABLE).then(|| nodes.to_string()) }
    }
}

/// Returns a speed in millions of nodes per second: `712.3 Mnps`.
pub fn mega_per_second(nodes: u128, seconds: f64) -> String {
    format!("{} Mnps", mega(per_second(nodes, seconds)))
}

/// Returns a speed in nodes per second as millions, without the unit: `712.3`.
pub(super) fn mega(nodes_per_second: f64) -> String {
    format!("{:.1}", nodes_per_second / 1e6)
}

/// Returns the nodes per second; 0 if the time is too short for the clock.
pub(super) fn per_second(nodes: u128, seconds: f64) -> f64 {
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

/// Returns a time with four digits in a suitable unit: `1.234 s`, `56.70 ms`, `8.900 µs`.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        0.001.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    let digits = match value {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_53_bits_are_also_text() {
        let json = |nodes: u128| serde_json::to_string(&Nodes(nodes)).unwrap();
        assert_eq!(json(9_007_199_254_740_992), r#"{"nodes":9007199254740992}"#);
        assert_eq!(
            json(61_885_021_521_585_529_237),
            r#"{"nodes":61885021521585529237,"nodes_text":"61885021521585529237"}"#
        );
    }

    #[test]
    fn speeds_are_in_millions_of_nodes_per_second() {
        assert_eq!(mega_per_second(3_195_901_860, 4.5), "710.2 Mnps");
        assert_eq!(mega_per_second(20, 0.0), "0.0 Mnps");
    }

    #[test]
    fn times_have_four_digits_and_a_unit() {
        let texts = [1.2345, 56.78, 0.567_89, 0.005_678, 0.000_008_9].map(duration);
        assert_eq!(texts, ["1.234 s", "56.78 s", "567.9 ms", "5.678 ms", "8.900 µs"]);
    }
}

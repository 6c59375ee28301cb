//! Node counts and rates as numbers for programs and for people.

use serde::Serialize;

/// A count in JSON: `nodes`, and `nodes_text` beyond 2^53, up to which every reader of JSON is exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Nodes {
    nodes: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_text: Option<String>,
}

impl From<u128> for Nodes {
    fn from(nodes: u128) -> Nodes {
        Nodes { nodes, nodes_text: (nodes > 1 << 53).then(|| nodes.to_string()) }
    }
}

/// A number with a comma after every three digits, for people.
///
/// # Examples
/// ```
/// use crate::report::grouped;
/// assert_eq!(grouped(119_060_324), "119,060,324");
/// assert_eq!(grouped(20), "20");
/// ```
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate in millions of nodes a second, the unit of the field: `712.3 Mnps`.
///
/// # Examples
/// ```
/// use crate::report::mega_per_second;
/// assert_eq!(mega_per_second(3_195_901_860, 4.5), "710.2 Mnps");
/// ```
pub fn mega_per_second(nodes: u128, seconds: f64) -> String {
    format!("{:.1} Mnps", per_second(nodes, seconds) / 1e6)
}

/// Nodes a second; 0 if no time passed that the clock could see.
pub(super) fn per_second(nodes: u128, seconds: f64) -> f64 {
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_53_bits_are_also_text() {
        let json = |nodes: u128| serde_json::to_string(&Nodes::from(nodes)).unwrap();
        assert_eq!(json(9_007_199_254_740_992), r#"{"nodes":9007199254740992}"#);
        assert_eq!(
            json(61_885_021_521_585_529_237),
            r#"{"nodes":61885021521585529237,"nodes_text":"61885021521585529237"}"#
        );
    }
}

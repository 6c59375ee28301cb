//! The parts that several answers share.

use serde::{Serialize, Serializer};

/// A number of nodes. It is written as a string, because JavaScript reads JSON numbers above 2^53 wrongly.
#[derive(Clone, Copy, Debug)]
pub struct Nodes(pub u128);

impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Writes an answer as JSON.
pub fn to_json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("an answer has no part that JSON cannot have")
}

//! Mistakes in adding up leaf nodes. The generator itself may be right.

/// A mistake in adding up leaf nodes, independent of the generator.
///
/// # Examples
/// ```
/// use perft_diagnosis::Miscount;
///
/// // The counts of the start position at the depths 0 to 4.
/// let counts = [1, 20, 400, 8902, 197_281];
/// assert_eq!(Miscount::DepthOneLess.nodes(&counts, 3), Some(400));
/// assert_eq!(Miscount::AllNodes.nodes(&counts, 3), Some(20 + 400 + 8902));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Miscount {
    /// The count of the depth below.
    DepthOneLess,
    /// The count of the depth above.
    DepthOneMore,
    /// The nodes of all depths from 1.
    AllNodes,
    /// The nodes of all depths, including the root.
    AllNodesAndRoot,
    /// The nodes of all depths except the last.
    InnerNodes,
    /// The count, cut off to 16 bits.
    Low16Bits,
    /// The count, cut off to 32 bits.
    Low32Bits,
    /// The count, cut off to 64 bits.
    Low64Bits,
}

impl Miscount {
    /// All mistakes.
    pub const ALL: [Miscount; 8] = [
        Miscount::DepthOneLess,
        Miscount::DepthOneMore,
        Miscount::AllNodes,
        Miscount::AllNodesAndRoot,
        Miscount::InnerNodes,
        Miscount::Low16Bits,
        Miscount::Low32Bits,
        Miscount::Low64Bits,
    ];

    /// Returns the name, such as `all-nodes`.
    pub const fn name(self) -> &'static str {
        match self {
            Miscount::DepthOneLess => "depth-one-less",
            Miscount::DepthOneMore => "depth-one-more",
            Miscount::AllNodes => "all-nodes",
            Miscount::AllNodesAndRoot => "all-nodes-and-root",
            Miscount::InnerNodes => "inner-nodes",
            Miscount::Low16Bits => "low-16-bits",
            Miscount::Low32Bits => "low-32-bits",
            Miscount::Low64Bits => "low-64-bits",
        }
    }

    /// Returns a description of the mistake: one sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Miscount::DepthOneLess => "The number is the count of the depth below.",
            Miscount::DepthOneMore => "The number is the count of the depth above.",
            Miscount::AllNodes => "The number counts the nodes of all depths, without the root.",
            Miscount::AllNodesAndRoot => "The number counts the nodes of all depths, with the root.",
            Miscount::InnerNodes => {
                "The number counts all nodes above the last depth, but not the leaf nodes."
            }
            Miscount::Low16Bits => "The number has overflowed 16 bits.",
            Miscount::Low32Bits => "The number has overflowed 32 bits.",
            Miscount::Low64Bits => "The number has overflowed 64 bits.",
        }
    }

    /// Returns the number that a program with this mistake gives. `counts` are the leaf nodes at the depths from 0 on.
    ///
    /// Returns `None` if the mistake does not change the number, or if a depth that it needs is missing.
    pub fn nodes(self, counts: &[u128], depth: u32) -> Option<u128> {
        let depth = depth as usize;
        let right = *counts.get(depth)?;
        let nodes = match self {
            Miscount::DepthOneLess => *counts.get(depth.checked_sub(1)?)?,
            Miscount::DepthOneMore => *counts.get(depth + 1)?,
            Miscount::AllNodes => counts.get(1..=depth)?.iter().sum(),
            Miscount::AllNodesAndRoot => counts[..=depth].iter().sum(),
            Miscount::InnerNodes => counts[..depth].iter().sum(),
            Miscount::Low16Bits => right % (1 << 16),
            Miscount::Low32Bits => right % (1 << 32),
            Miscount::Low64Bits => right % (1 << 64),
        };
        (nodes != right).then_some(nodes)
    }
}

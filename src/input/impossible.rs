//! Whether an engine is asked about positions that no game reaches.

use clap::Args;
use perft_core::{Position, impossibilities};

/// Which positions an engine is asked about.
#[derive(Clone, Copy, Debug, Args)]
pub struct ImpossibleArgs {
    /// Also ask about positions that no game reaches, such as a check by three pieces
    #[arg(long, hide_short_help = true)]
    pub impossible: bool,
}

impl ImpossibleArgs {
    /// Whether an engine is asked about a position. By default, some game must be able to reach it.
    pub fn allow(self, position: &Position) -> bool {
        self.impossible || impossibilities(position).is_empty()
    }
}

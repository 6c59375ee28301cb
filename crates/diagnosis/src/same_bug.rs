//! Decides which findings of a hunt are the same bug.
//!
//! A bug is identified by its verdict and its themes. Themes that a generator breaks together are one bug.

use crate::explain::Theme;
use crate::finding::Finding;
use crate::verdict::Verdict;
use crate::wrong_move::WrongMove;

/// Returns the bugs of a finding: each of its themes with whether a move is missing, or one bug without a theme.
pub(crate) fn bugs_of(finding: &Finding) -> Vec<Option<(Theme, bool)>> {
    let themes = finding.themes();
    if themes.is_empty() { vec![None] } else { themes.into_iter().map(Some).collect() }
}

/// Whether a finding is about one of the [bugs](bugs_of) of another one.
pub(crate) fn is_known_as(known: &Finding, found: &Finding, theme: Option<(Theme, bool)>) -> bool {
    let verdict = found.verdict;
    let has_cause = |theme: (Theme, bool)| {
        let possible = known.candidates.iter().map(WrongMove::key);
        known.themes().into_iter().chain(possible).any(|other| is_same_cause(other, theme))
    };
    // The reason of an unfinished finding may be any kind of bug.
    let is_same_kind = (known.verdict == verdict || verdict == Verdict::Unfinished)
        && known.error().is_some() == found.error().is_some();
    is_same_kind
        && match theme {
            Some(theme) => has_cause(theme),
            None if matches!(verdict, Verdict::LastPly | Verdict::Draw | Verdict::Chess960) => {
                known.hypothesis == found.hypothesis
            }
            None if found.candidates.is_empty() => {
                known.verdict == verdict && known.themes().is_empty() && known.candidates.is_empty()
            }
            None => found.candidates.iter().map(WrongMove::key).any(has_cause),
        }
}

/// Themes of missing or illegal moves that one rule makes wrong together. The flag says whether the moves are missing.
const SAME_CAUSE: [(&[Theme], bool); 4] = [
    (&[Theme::EnPassant, Theme::EnPassantPin, Theme::EnPassantCheck], true),
    (&[Theme::CastlingKingSide, Theme::CastlingQueenSide], true),
    (&[Theme::Promotion, Theme::PromotionCapture], true),
    (&[Theme::EnPassantRank, Theme::EnPassantDiagonal], false),
];

/// Whether two wrong moves probably have the same cause. Each is given by its theme, and by whether the move is
/// missing.
fn is_same_cause(one: (Theme, bool), other: (Theme, bool)) -> bool {
    let in_one_row = |(themes, is_missing): &(&[Theme], bool)| {
        *is_missing == one.1 && themes.contains(&one.0) && themes.contains(&other.0)
    };
    one == other || (one.1 == other.1 && SAME_CAUSE.iter().any(in_one_row))
}

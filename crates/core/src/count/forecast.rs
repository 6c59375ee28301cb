//! Guessing a count too large to make from the counts of lower depths.

/// About how many nodes a depth has, from the exact counts of depth 0 up to some lower one: the last count, multiplied
/// for each further ply by the mean factor of the last two. A guess of the order of magnitude, no more.
///
/// # Examples
/// ```
/// use perft_core::internals::forecast;
/// let guess = forecast(&[1, 20, 400, 8_902, 197_281], 6);
/// let real = 119_060_324.0;
/// assert!((real / 2.0..real * 2.0).contains(&guess));
/// ```
///
/// # Panics
/// Never; without any count, or where the game ends before, the forecast is 0.
pub fn forecast(counts: &[u128], depth: u32) -> f64 {
    let Some(&last) = counts.last() else { return 0.0 };
    let further = f64::from(depth) - (counts.len() - 1) as f64;
    let plies_back = 2.min(counts.len() - 1);
    let before = counts[counts.len() - 1 - plies_back];
    if plies_back == 0 || before == 0 || last == 0 {
        return last as f64;
    }
    let factor = (last as f64 / before as f64).powf(1.0 / plies_back as f64);
    last as f64 * factor.powf(further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_cases() {
        assert_eq!(forecast(&[], 3), 0.0);
        assert_eq!(forecast(&[1], 3), 1.0);
        assert_eq!(forecast(&[1, 3, 0], 9), 0.0);
        assert_eq!(forecast(&[1, 4, 16], 4), 256.0);
        assert_eq!(forecast(&[1, 4, 16], 2), 16.0);
    }
}

//! Estimates the size of a deep count from the counts of lower depths.

/// Returns an estimate of the number of leaf nodes at `depth`, where `counts[d]` is the exact count at depth `d`.
///
/// The last count is multiplied by the mean growth of the last two plies, once for each missing ply. Only the order of
/// magnitude of the result is right. The result is 0 if there are no counts or if the game ends within them.
///
/// # Examples
/// ```
/// use perft_count::internals::forecast;
///
/// let estimate = forecast(&[1, 20, 400, 8_902, 197_281], 6);
/// let exact = 119_060_324.0;
/// assert!((exact / 2.0..exact * 2.0).contains(&estimate));
/// ```
pub fn forecast(counts: &[u128], depth: u32) -> f64 {
    let Some(&last) = counts.last() else { return 0.0 };
    let missing_plies = f64::from(depth) - (counts.len() - 1) as f64;
    let plies_back = 2.min(counts.len() - 1);
    let before = counts[counts.len() - 1 - plies_back];
    if plies_back == 0 || before == 0 || last == 0 {
        return last as f64;
    }
    let growth = (last as f64 / before as f64).powf(1.0 / plies_back as f64);
    last as f64 * growth.powf(missing_plies)
}

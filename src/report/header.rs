//! The header of a report: who wrote it, and when. Every report has these fields.

use serde::Serialize;

/// The version of the JSON that this build writes. It is increased when a field is renamed or changes its meaning.
///
/// The first version was 2, because benchmarks have the fields of hyperfine 2, which uses the same name for its own
/// version.
pub const SCHEMA_VERSION: u32 = 4;

/// Who wrote a report, and when.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Header {
    /// The version of the schema.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA_VERSION)))]
    pub schema_version: u32,
    /// The name of the program that wrote the report: `perft`.
    pub program: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The time at which the command started, in UTC: `2026-11-30T18:05:00Z`.
    #[cfg_attr(test, schemars(extend("format" = "date-time")))]
    pub timestamp: String,
}

impl Header {
    /// Makes the header of a report of this build. `unix_seconds` is when the command started, in seconds since 1970.
    pub fn new(unix_seconds: u64) -> Header {
        Header {
            schema_version: SCHEMA_VERSION,
            program: crate::NAME,
            version: env!("CARGO_PKG_VERSION"),
            timestamp: utc(unix_seconds),
        }
    }

    /// Returns the time at which the command started, for people: `2026-11-30 18:05 UTC`.
    pub(super) fn date(&self) -> String {
        format!("{} {} UTC", &self.timestamp[..10], &self.timestamp[11..16])
    }
}

/// Returns a time in the format of RFC 3339. The date is computed as in Howard Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms": a year begins in March there, so that the leap day is its last day.
fn utc(unix_seconds: u64) -> String {
    // Days since 1 March of the year 0.
    let days = unix_seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (unix_seconds / 3600 % 24, unix_seconds / 60 % 60, unix_seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times are those of `date -u -d @SECONDS`.
    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_796_061_900, "2026-11-30T18:05:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
        assert_eq!(Header::new(1_796_061_900).date(), "2026-11-30 18:05 UTC");
    }
}

//! The options of a UCI engine.

use perft_diagnosis::source::SourceError;

/// The options that an engine lists: their names, which are case-insensitive, and the values of options of the type
/// `combo`.
#[derive(Debug, Default)]
pub(super) struct UciOptions(Vec<(String, Vec<String>)>);

impl UciOptions {
    /// Reads a line such as `option name UCI_Variant type combo default chess var chess var atomic`. Any other line is
    /// ignored.
    pub fn read(&mut self, line: &str) {
        let option = line.strip_prefix("option name ").and_then(|option| option.split_once(" type "));
        self.0.extend(option.map(|(name, rest)| {
            let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned());
            (name.trim().to_owned(), values.collect())
        }));
    }

    pub fn option(&self, name: &str) -> Option<&(String, Vec<String>)> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Returns the line that sets an option.
    ///
    /// # Errors
    /// The engine has no such option, or the option cannot have this value. Engines ignore unknown options, so the
    /// counts would silently be made with other settings.
    pub fn line(&self, name: &str, value: &str) -> Result<String, SourceError> {
        let Some((_, values)) = self.option(name) else {
            let known = self.0.iter().map(|(known, _)| known.clone()).collect();
            return Err(SourceError::NoOption(name.to_owned(), known));
        };
        if !values.is_empty() && !values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            return Err(SourceError::NoOptionValue(name.to_owned(), value.to_owned(), values.clone()));
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}

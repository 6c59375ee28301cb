//! The UCI options that an engine lists.

use perft_diagnosis::source::SourceError;

/// An option that an engine lists.
#[derive(Debug)]
struct UciOption {
    name: String,
    /// The values that it can have. Empty if it can have any text.
    values: Vec<String>,
}

/// The options that an engine lists. Their names are case-insensitive.
#[derive(Debug, Default)]
pub(super) struct UciOptions(Vec<UciOption>);

impl UciOptions {
    /// Reads a line such as `option name UCI_Variant type combo default chess var chess var atomic`. Any other line is
    /// ignored.
    pub fn read(&mut self, line: &str) {
        let Some(option) = line.strip_prefix("option name ") else { return };
        let Some((name, rest)) = option.split_once(" type ") else { return };
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
        self.0.push(UciOption { name: name.trim().to_owned(), values });
    }

    pub fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn option(&self, name: &str) -> Option<&UciOption> {
        self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns the line that sets an option.
    ///
    /// # Errors
    /// The engine has no such option, or the option cannot have this value. Engines ignore unknown options, so the
    /// counts would silently be made with other settings.
    pub fn line(&self, name: &str, value: &str) -> Result<String, SourceError> {
        let Some(option) = self.option(name) else {
            let known = self.0.iter().map(|option| option.name.clone()).collect();
            return Err(SourceError::NoOption(name.to_owned(), known));
        };
        if !option.values.is_empty() && !option.values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            let (name, value) = (name.to_owned(), value.to_owned());
            return Err(SourceError::NoOptionValue(name, value, option.values.clone()));
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}

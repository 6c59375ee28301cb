//! The log of what is said to a program and by it.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A log of everything that is sent to a program and received from it. By default, nothing is logged.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Mutex<File>>>);

impl Transcript {
    pub fn to(file: File) -> Transcript {
        Transcript(Some(Arc::new(Mutex::new(file))))
    }

    /// If logging fails, the command fails when it has ended.
    pub(super) fn log(&self, process: u32, mark: char, line: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = writeln!(file, "{process} {mark} {line}") {
                let _ = FAILURE.set(error.to_string());
            }
        }
    }

    /// Returns the reason why a line could not be logged.
    pub fn failure() -> Option<&'static String> {
        FAILURE.get()
    }
}

static FAILURE: OnceLock<String> = OnceLock::new();

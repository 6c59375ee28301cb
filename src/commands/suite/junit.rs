//! The report of `perft suite` in the XML format of JUnit, which CI systems show.

use std::io::{self, Write};

use super::report::{CaseOutcome, SuiteReport, SuitesReport};
use crate::output::INCOMPLETE;
use crate::output::table::escape_markup;

impl SuitesReport {
    /// Writes the XML of JUnit: a test suite for each suite, and a test case for each position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let sum = |number: fn(&SuiteReport) -> usize| -> usize { self.suites.iter().map(number).sum() };
        let (tests, skipped) = (sum(SuiteReport::test_cases), sum(SuiteReport::skipped_cases));
        let (failures, errors) = (sum(SuiteReport::failed_cases), sum(SuiteReport::errors));
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let name = self.provenance.header.program;
        writeln!(
            out,
            r#"<testsuites name="{name}" tests="{tests}" skipped="{skipped}" failures="{failures}" errors="{errors}">"#
        )?;
        self.suites.iter().try_for_each(|suite| suite.write_junit(out))?;
        writeln!(out, "</testsuites>")
    }
}

impl SuiteReport {
    /// Returns the number of test cases. An interruption counts as one with an error, so that no reader considers the
    /// suite passed.
    fn test_cases(&self) -> usize {
        self.cases.len() + self.errors()
    }

    fn skipped_cases(&self) -> usize {
        self.cases.iter().filter(|(_, outcome)| matches!(outcome, CaseOutcome::Unfinished)).count()
    }

    fn failed_cases(&self) -> usize {
        self.cases.iter().filter(|(_, outcome)| matches!(outcome, CaseOutcome::Failed { .. })).count()
    }

    fn errors(&self) -> usize {
        usize::from(!self.complete)
    }

    fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let (suite, tests, errors) = (escape_markup(&self.name), self.test_cases(), self.errors());
        let (failures, skipped) = (self.failed_cases(), self.skipped_cases());
        writeln!(
            out,
            r#"    <testsuite name="{suite}" tests="{tests}" skipped="{skipped}" errors="{errors}" failures="{failures}">"#
        )?;
        for (name, outcome) in &self.cases {
            let content = match outcome {
                CaseOutcome::Passed => String::new(),
                CaseOutcome::Unfinished => format!("<skipped message=\"{INCOMPLETE}\"/>"),
                CaseOutcome::Failed { message, details } => {
                    let (message, details) = (escape_markup(message), escape_markup(details));
                    format!("<failure message=\"{message}\">{details}</failure>")
                }
            };
            write_test_case(name, &suite, &content, out)?;
        }
        if !self.complete {
            write_test_case("interrupted", &suite, &format!("<error message=\"{INCOMPLETE}\"/>"), out)?;
        }
        writeln!(out, "    </testsuite>")
    }
}

/// Writes a test case of JUnit. `suite` and `content` are markup.
fn write_test_case(name: &str, suite: &str, content: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, r#"        <testcase name="{}" classname="{suite}""#, escape_markup(name))?;
    if content.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">\n            {content}\n        </testcase>")
}

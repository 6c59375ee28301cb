//! The report of `perft suite` in the XML format of JUnit, which CI systems show.

use std::io::{self, Write};

use super::report::{CaseOutcome, Problem, SuiteReport, SuitesReport};
use crate::output::INCOMPLETE;
use crate::output::table::escape_markup;

impl SuitesReport {
    /// Writes the XML of JUnit: a test suite for each suite, and a test case for each position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let sum = |number: fn(&SuiteReport) -> usize| -> usize { self.suites.iter().map(number).sum() };
        let tests = sum(SuiteReport::test_cases);
        let skipped = sum(|suite| suite.number_of(|outcome| matches!(outcome, CaseOutcome::Unfinished)));
        let failures = sum(|suite| suite.number_of(|outcome| matches!(outcome, CaseOutcome::Failed(_))));
        let errors = sum(|suite| usize::from(!suite.complete));
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
        self.cases.len() + usize::from(!self.complete)
    }

    fn number_of(&self, is_counted: impl Fn(&CaseOutcome) -> bool) -> usize {
        self.cases.iter().filter(|(_, outcome)| is_counted(outcome)).count()
    }

    fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let (suite, tests, errors) =
            (escape_markup(&self.name), self.test_cases(), usize::from(!self.complete));
        let failures = self.number_of(|outcome| matches!(outcome, CaseOutcome::Failed(_)));
        let skipped = self.number_of(|outcome| matches!(outcome, CaseOutcome::Unfinished));
        writeln!(
            out,
            r#"    <testsuite name="{suite}" tests="{tests}" skipped="{skipped}" errors="{errors}" failures="{failures}">"#
        )?;
        for (name, outcome) in &self.cases {
            let content = match outcome {
                CaseOutcome::Passed => String::new(),
                CaseOutcome::Unfinished => format!("<skipped message=\"{INCOMPLETE}\"/>"),
                CaseOutcome::Failed(Problem { message, details }) => {
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

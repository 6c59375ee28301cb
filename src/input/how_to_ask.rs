//! How to ask an engine: the options of the command line and the keys of an entry in `perft.toml` are read into the
//! same value.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf, is_separator};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use perft_diagnosis::lines::visible;
use perft_diagnosis::source::{Pattern, Patterns, Profile};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::counting::{parse_seconds, time_limit};
use crate::engine::{CUSTOM, Dialect, EngineSpec, Handshake, Launch, unknown_placeholder};

/// How to ask an engine.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HowToAsk {
    /// The command of an entry.
    #[arg(skip)]
    pub command: CommandText,
    /// How to ask the engine: uci sends "position fen FEN moves M..." and "go perft N"; perftree runs CMD N FEN "M..."
    /// for each question; "perft list engines" lists the others. The engine prints a line for each root move ("e2e4:
    /// 20"), or the total [default: the one in perft.toml, uci, or what "perft probe" finds]
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), hide_possible_values = true)]
    #[serde(default, deserialize_with = "parsed")]
    pub dialect: Option<&'static Dialect>,
    /// A line that asks a question, instead of a dialect: --ask 'position fen {fen} moves {moves}' --ask 'perft
    /// {depth}'
    #[arg(long, value_name = "LINE", value_parser = template, conflicts_with = "dialect")]
    #[serde(default, deserialize_with = "templates")]
    pub ask: Vec<String>,
    /// Handshake that opens the conversation, with --ask: uci, cecp (XBoard) or none [default: uci, or none if the
    /// engine does not answer it]
    #[arg(long, value_name = "NAME", value_enum, requires = "ask", hide_short_help = true)]
    pub handshake: Option<Handshake>,
    /// Where the total stands in the engine's answer: a regular expression whose first group is the number, such as
    /// 'Nodes: (\d+)' [default: what questions with known answers show]
    #[arg(long = "total", value_name = "REGEX", hide_short_help = true)]
    #[serde(default, rename = "total", deserialize_with = "parsed")]
    pub total_pattern: Option<Pattern>,
    /// Where the counts below moves stand: a regular expression with two groups, the move and the number, such as
    /// '(\S+): (\d+)'
    #[arg(long = "move", value_name = "REGEX", hide_short_help = true)]
    #[serde(default, rename = "move", deserialize_with = "parsed")]
    pub move_pattern: Option<Pattern>,
    /// The line that makes the engine print its FEN or its key, for "hunt --state" [default: the one in perft.toml, or
    /// else what "perft probe" finds]
    #[arg(long, value_name = "LINE", value_parser = template)]
    #[serde(default, deserialize_with = "optional_template")]
    pub ask_state: Option<String>,
    /// The engine knows Chess960 (UCI engines say so themselves)
    #[arg(long, hide_short_help = true)]
    #[serde(skip)]
    pub engine_chess960: bool,
    /// Take engines from this file instead of perft.toml in the current folder
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Set a UCI option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    #[serde(default, deserialize_with = "options")]
    pub options: Vec<(String, String)>,
    /// Time limit for the start and for each answer [default: 10 and 60, or the timeout in perft.toml]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[serde(default, rename = "timeout", deserialize_with = "seconds")]
    pub engine_timeout: Option<Duration>,
    /// Whether the engine of an entry knows Chess960.
    #[arg(skip)]
    pub chess960: Option<bool>,
    /// How often the engine of an entry is started.
    #[arg(skip)]
    pub launch: Option<Launch>,
    /// The folder in which the engine of an entry runs.
    #[arg(skip)]
    pub folder: Option<PathBuf>,
    /// How the engine of an entry prints its answers.
    #[arg(skip)]
    pub profile: Option<Profile>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a command is a string, or a list of words")]
pub enum CommandText {
    Line(String),
    Words(Vec<String>),
}

impl Default for CommandText {
    fn default() -> CommandText {
        CommandText::Words(Vec::new())
    }
}

impl HowToAsk {
    /// Returns an engine that is asked in this way.
    pub fn applied_to(&self, mut spec: EngineSpec) -> EngineSpec {
        if let Some(dialect) = self.dialect {
            if ![CUSTOM, dialect.name].contains(&spec.dialect) {
                spec = spec.asked_in(dialect);
            }
            spec.has_words = true;
        }
        if !self.ask.is_empty() {
            spec = spec.with_lines(self.ask.clone());
        }
        spec.asking.handshake = self.handshake.unwrap_or(spec.asking.handshake);
        if self.launch == Some(Launch::Each) {
            spec.asking.launch = Launch::Each;
        }
        if self.total_pattern.is_some() || self.move_pattern.is_some() {
            spec.patterns = Patterns { total: self.total_pattern.clone(), moves: self.move_pattern.clone() };
            spec.profile = None;
        }
        if let Some(profile) = self.profile.clone() {
            spec.profile = Some(profile.with_patterns(spec.patterns.clone()));
        }
        for (name, value) in &self.options {
            spec.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            spec.options.push((name.clone(), value.clone()));
        }
        if let Some(limit) = self.engine_timeout {
            (spec.answer_limit, spec.start_limit) = (limit, limit);
        }
        spec.ask_state = self.ask_state.clone().or(spec.ask_state);
        spec.is_chess960 = self.chess960.or(self.engine_chess960.then_some(true)).or(spec.is_chess960);
        spec
    }

    /// Returns the engine of an entry. A relative folder is relative to `home`, the folder of the file.
    ///
    /// # Errors
    /// The fault of the entry.
    pub fn entry(&self, home: &Path) -> Result<EngineSpec, String> {
        let folder = self.folder.as_ref().map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let spec = match &self.command {
            CommandText::Line(line) => EngineSpec::parse(line, Some(&folder)),
            CommandText::Words(words) => EngineSpec::of_words(words.clone()),
        };
        let spec = spec.map_err(|_| "the command is empty, or a quote in it is not closed")?;
        spec.command.iter().try_for_each(|word| check_parts(word))?;
        let folder_text = self.folder.as_ref().map(|folder| folder.to_string_lossy().into_owned());
        if spec.command.iter().chain(&folder_text).any(|text| visible(text) != *text) {
            return Err("the command and the folder have no control characters".to_owned());
        }
        if self.dialect.is_some() && !self.ask.is_empty() {
            return Err("a dialect already says what is sent; give dialect or ask".to_owned());
        }
        let mut spec = self.applied_to(spec);
        if !self.options.is_empty() && spec.asking.handshake != Handshake::Uci {
            return Err("only a UCI engine has options".to_owned());
        }
        if self.launch == Some(Launch::Once) && spec.is_run_for_each_question() {
            return Err(
                "only a program that is asked on its standard input can be started once for all questions"
                    .to_owned(),
            );
        }
        // A name without a separator is looked up on the PATH.
        if spec.command[0].contains(is_separator) {
            spec.command[0] = folder.join(&spec.command[0]).to_string_lossy().into_owned();
        }
        Ok(EngineSpec { folder: Some(folder), ..spec })
    }
}

/// Refuses a template with an unknown word in braces.
pub fn check_parts(text: &str) -> Result<(), String> {
    unknown_placeholder(text).map_or(Ok(()), |word| {
        Err(format!(
            "'{word}' is not a part of a question; the parts are {{depth}}, {{depth-1}}, {{fen}}, {{moves}}, {{fen_after}}"
        ))
    })
}

/// Whether a text is one line without hidden characters.
pub fn is_line(text: &str) -> bool {
    !text.contains(char::is_control) && visible(text) == text
}

fn template(text: &str) -> Result<String, String> {
    check_parts(text)?;
    let line = Some(text.to_owned()).filter(|line| is_line(line));
    line.ok_or_else(|| "give one line of text for each line that is sent".to_owned())
}

/// Parses `NAME=VALUE`.
fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write it as NAME=VALUE, for example Hash=16".to_owned()),
    }
}

fn dialects() -> impl TypedValueParser<Value = &'static Dialect> {
    let names = Dialect::all().iter().map(|dialect| PossibleValue::new(dialect.name).help(dialect.about));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
}

fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(source: D) -> Result<Option<T>, D::Error> {
    String::deserialize(source)?.parse().map(Some).map_err(D::Error::custom)
}

fn templates<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    Vec::<String>::deserialize(source)?.iter().map(|line| template(line).map_err(D::Error::custom)).collect()
}

fn optional_template<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    template(&String::deserialize(source)?).map(Some).map_err(D::Error::custom)
}

fn seconds<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Duration>, D::Error> {
    time_limit(f64::deserialize(source)?).map(Some).map_err(D::Error::custom)
}

fn options<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<(String, String)>, D::Error> {
    let option = |(name, value): (String, toml::Value)| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(_) | toml::Value::Boolean(_) => value.to_string(),
            _ => return Err("the value of an option is a string, an integer, true or false"),
        };
        if name.eq_ignore_ascii_case("UCI_Chess960") {
            return Err("perft sets this option itself, as each position needs it");
        }
        if is_line(&name) && is_line(&text) {
            Ok((name, text))
        } else {
            Err("an option must be one line of text")
        }
    };
    let options = BTreeMap::deserialize(source)?.into_iter().map(option);
    options.collect::<Result<_, _>>().map_err(D::Error::custom)
}

//! `perft generate man`: the manual pages of the program and of its commands.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::commands::help::described;
use crate::output::error::CliError;
use crate::system::files::AtomicFile;

const EXAMPLES: &str = "\
Examples:
  perft generate man | man -l -                      read the page of the program
  perft generate man hunt | man -l -                 read the page of a command
  perft generate man --folder ~/.local/share/man     install all pages: man perft-hunt";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ManArgs {
    /// Command to describe [default: the whole program]
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<String>,
    /// Write the pages of the program and of all commands to the subfolder man1 of this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub fn run(args: ManArgs, mut command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    command.build();
    if let Some(folder) = args.folder {
        write_all(&command, folder.join("man1"), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let described = described(&mut command, &args.command)?;
    out.write_all(&page(described)?)?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(command: &Command, folder: PathBuf, out: &mut impl Write) -> Result<(), CliError> {
    let failed = |error| CliError::usage(format!("cannot write to '{}': {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let all = with_subcommands(command);
    for &described in &all {
        let path = folder.join(Man::new(described.clone()).get_filename());
        let text = page(described)?;
        AtomicFile::prepare(&path).and_then(|file| file.write(|out| out.write_all(&text))).map_err(failed)?;
    }
    writeln!(out, "{} pages in {}", all.len(), folder.display())?;
    Ok(())
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(with_subcommands)).collect()
}

/// Returns the manual page of a command. The examples of the help are in a section of their own.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    // Otherwise, an option that is hidden from the short help would have no text.
    let complete = command.clone().mut_args(|argument| argument.hide_short_help(false));
    let man = Man::new(complete).manual("Commands of perft");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    examples(command).to_writer(&mut page)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if command.get_after_help().is_some() {
        man.render_extra_section(&mut page)?;
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// Returns the section with the examples from the help of a command.
fn examples(command: &Command) -> Roff {
    let mut section = Roff::new();
    let text = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    if lines.is_empty() {
        return section;
    }
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in lines {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}

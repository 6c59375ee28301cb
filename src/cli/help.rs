//! The layout of the help pages: examples come first, and the commands of the program stand in groups.

use std::fmt::Write;

use clap::Command;

/// The layout of every help page.
const TEMPLATE: &str = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The commands in the order of the help, by what they are for.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Count", &["divide", "stats", "unique", "estimate", "explore"]),
    ("Find bugs", &["suite", "hunt", "fuzz", "probe", "agree"]),
    ("Measure speed", &["bench", "compare"]),
    ("Large counts, in work units", &["plan", "work", "merge", "verify", "submit"]),
    ("Other", &["positions", "engines", "generators", "uci", "completions", "man"]),
];

/// Gives a command and all its subcommands the common layout.
pub fn with_examples_first(command: Command) -> Command {
    command.help_template(TEMPLATE).mut_subcommands(|subcommand| subcommand.help_template(TEMPLATE))
}

/// Lists the subcommands in groups.
///
/// clap lists them in one block. They are hidden from that block here and written into the layout instead. Completions
/// and the manual page come from a command without this change, because they leave hidden subcommands out.
pub fn with_grouped_commands(command: Command) -> Command {
    let template = TEMPLATE.replace("{all-args}", &format!("{}{{all-args}}", grouped_commands(&command)));
    command
        .override_usage("perft [OPTIONS] --depth <N>\n       perft <COMMAND> [OPTIONS]")
        .help_template(template)
        .mut_subcommands(|subcommand| subcommand.hide(true))
}

fn grouped_commands(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{header}{title}:{header:#}");
        // Without the explorer there is no such command.
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let name = subcommand.get_name();
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:<12}{literal:#} {about}");
        }
        text.push('\n');
    }
    text
}

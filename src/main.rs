//! The program `perft`: a thin shell over the library. It parses, runs, prints and exits; see `cli`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}

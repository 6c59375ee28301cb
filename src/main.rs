//! The program `perft`. All its code is in the library of this package.

fn main() -> std::process::ExitCode {
    perft_cli::commands::main()
}

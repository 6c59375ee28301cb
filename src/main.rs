//! The program `perft`. Everything is in the library beside it.

fn main() -> std::process::ExitCode {
    perft_cli::main()
}

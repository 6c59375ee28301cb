//! The engine that the tests start. Its code is in `perft_testing::engines`.
//!
//! On Windows, it also interrupts a program: `test-engine press-ctrl-c PROCESS`. A process belongs to one console, so
//! a separate process has to join the console of the program.

use std::io;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    #[cfg(windows)]
    if let ["press-ctrl-c", process] = arguments[..] {
        press_ctrl_c(process.parse().expect("a number"));
        return Ok(());
    }
    perft_testing::engines::run(&arguments)
}

#[cfg(windows)]
fn press_ctrl_c(process: u32) {
    use windows_sys::Win32::System::Console::{
        AttachConsole, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent, SetConsoleCtrlHandler,
    };
    // SAFETY: The arguments are numbers, and no handler is passed. This process has one thread.
    let are_done = unsafe {
        [
            FreeConsole(),
            AttachConsole(process),
            SetConsoleCtrlHandler(None, 1),
            GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0),
        ]
    };
    assert_eq!(are_done[1..], [1; 3]);
}

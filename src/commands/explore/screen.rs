//! The terminal: reads keys, draws frames, and restores the terminal at the end.

use std::io;
use std::mem::ManuallyDrop;
use std::time::Duration;

use perft_core::StopSignal;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::style::force_color_output;

use super::state::{Effect, State};
use super::view::{self, Palette};
use super::worker::Workers;
use crate::output::standard_output::wait_for_key;

/// The time to wait for a key before checking for updates, in milliseconds.
const TICK: u16 = 40;

/// The terminal while the explorer uses it. Dropping it restores the terminal. After a panic, the terminal is restored
/// before the message. The library's own value is never dropped: it would print to a terminal that may be closed, and
/// panic.
struct Screen(ManuallyDrop<DefaultTerminal>);

impl Screen {
    fn enter(palette: Palette) -> io::Result<Screen> {
        // The palette follows the flags, whereas the terminal library only looks at NO_COLOR.
        force_color_output(palette.is_colored);
        ratatui::try_init().map(|terminal| Screen(ManuallyDrop::new(terminal)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic has already restored it. Restoring it again would put the cursor on top of the message.
        if !std::thread::panicking() {
            // If the terminal no longer exists, there is nothing to restore.
            let _ = self.0.show_cursor();
            let _ = ratatui::try_restore();
        }
    }
}

/// Shows the state, executes keys and applies updates, until the user quits or the signal is raised.
pub fn run(state: &mut State, workers: &mut Workers, palette: Palette, stop: &StopSignal) -> io::Result<()> {
    let mut screen = Screen::enter(palette)?;
    workers.start_task(&state.next_task());
    let mut is_stale = true;
    while !stop.is_raised() {
        for update in workers.updates() {
            state.apply(update);
            is_stale = true;
        }
        if !state.level().is_counted() {
            state.fraction = workers.fraction();
            is_stale = true;
        }
        if is_stale {
            screen.0.draw(|frame| {
                state.page = view::page(state, frame.area());
                view::draw(state, palette, frame);
            })?;
        }
        if wait_for_key(TICK) {
            return Ok(());
        }
        is_stale = event::poll(Duration::ZERO)?;
        // Execute all waiting keys before the next frame.
        while event::poll(Duration::ZERO)? {
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match state.press(key) {
                Effect::None => {}
                Effect::Count => workers.start_task(&state.next_task()),
                Effect::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}

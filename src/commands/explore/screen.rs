//! The terminal: reads keys, draws frames, and restores the terminal at the end and while the program is stopped.

use std::io::{self, Write, stdout};
use std::time::Duration;

use perft_core::StopSignal;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::style::force_color_output;
#[cfg(unix)]
use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        event::{KeyCode, KeyEvent, KeyModifiers},
        execute,
        terminal::{EnterAlternateScreen, enable_raw_mode},
    },
};

use super::clipboard::copy_sequence;
#[cfg(unix)]
use super::signals::{self, Notes, Signal};
use super::state::{Effect, State};
use super::view;
use super::view::Palette;
use super::worker::Workers;
use crate::output::standard_output::wait_for_key;

/// The time to wait for a key before checking for updates, in milliseconds.
const TICK: u16 = 40;

/// Ctrl-Z.
#[cfg(unix)]
const SUSPEND: Event = Event::Key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL));

/// The terminal while the explorer uses it. Dropping it restores the terminal. After a panic, the terminal is restored
/// before the message.
struct Screen {
    terminal: DefaultTerminal,
    #[cfg(unix)]
    notes: Notes,
}

impl Screen {
    fn enter(palette: Palette) -> io::Result<Screen> {
        // The palette follows the flags, whereas the terminal library only looks at NO_COLOR.
        force_color_output(palette.is_colored);
        Ok(Screen {
            #[cfg(unix)]
            notes: Notes::start()?,
            terminal: ratatui::try_init()?,
        })
    }

    /// Restores the terminal and follows a signal. If the program continues afterwards, it takes the terminal again.
    #[cfg(unix)]
    fn follow(&mut self, signal: Signal) -> io::Result<()> {
        self.terminal.show_cursor()?;
        ratatui::try_restore()?;
        self.notes.follow(signal)?;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen)?;
        // The new object knows that the screen is empty. To clear the old one, it would ask the terminal for its
        // cursor.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic has already restored it. Restoring it again would put the cursor on top of the message.
        if !std::thread::panicking() {
            // If the terminal no longer exists, there is nothing to restore.
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
        #[cfg(unix)]
        if let Some(signal) = signals::noted() {
            screen.follow(signal)?;
            is_stale = true;
        }
        for update in workers.updates() {
            state.apply(update);
            is_stale = true;
        }
        if !state.level().is_counted() {
            state.fraction = workers.fraction();
            is_stale = true;
        }
        if is_stale {
            screen.terminal.draw(|frame| {
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
            let event = event::read()?;
            #[cfg(unix)]
            if event == SUSPEND {
                screen.follow(Signal::SIGTSTP)?;
                continue;
            }
            let Event::Key(key) = event else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match state.press(key) {
                Effect::None => {}
                Effect::Count => workers.start_task(&state.next_task()),
                Effect::Copy(text) => write_now(&copy_sequence(&text))?,
                Effect::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}

fn write_now(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

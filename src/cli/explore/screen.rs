//! The terminal: keys in, frames out, and everything as it was when it is left.

use std::io::{Write, stdout};
use std::time::Duration;

use perft_core::StopSignal;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::style::force_color_output;

use super::clipboard::copy_sequence;
use super::state::{Command, Effect, State};
use super::view::{self, Palette};
use super::worker::Workers;

/// How long a key is waited for before news are looked at.
const TICK: Duration = Duration::from_millis(40);

/// The terminal while it is ours. It is handed back when this is dropped; if the program panics, before the message.
struct Screen(DefaultTerminal);

impl Screen {
    fn enter(palette: Palette) -> std::io::Result<Screen> {
        // The palette knows the flags; the terminal library would look at NO_COLOR alone.
        force_color_output(palette.is_colored);
        ratatui::try_init().map(Screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic has restored it already; a second time would put the cursor over the message.
        if !std::thread::panicking() {
            // A terminal that is gone has nothing to be restored.
            let _ = ratatui::try_restore();
        }
    }
}

/// Shows the state, obeys keys and takes in news, until the user leaves or the signal is raised.
pub fn run(
    state: &mut State,
    workers: &mut Workers,
    palette: Palette,
    stop: &StopSignal,
) -> std::io::Result<()> {
    let mut screen = Screen::enter(palette)?;
    workers.begin(&state.next_task());
    let mut is_stale = true;
    while !stop.is_raised() {
        for news in workers.news() {
            state.note(news);
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
        is_stale = event::poll(TICK)?;
        // Keys that wait already are obeyed before the next frame.
        while event::poll(Duration::ZERO)? {
            let effect = command(&event::read()?).map(|command| state.obey(command));
            match effect.unwrap_or(Effect::None) {
                Effect::None => {}
                Effect::Count => workers.begin(&state.next_task()),
                Effect::Copy(text) => write_now(&copy_sequence(&text))?,
                Effect::Leave => return Ok(()),
            }
        }
    }
    Ok(())
}

fn write_now(text: &str) -> std::io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What a key means.
fn command(event: &Event) -> Option<Command> {
    let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else { return None };
    if *kind == KeyEventKind::Release {
        return None;
    }
    if modifiers.contains(KeyModifiers::CONTROL) {
        return Some(if *code == KeyCode::Char('c') { Command::Interrupt } else { Command::Other });
    }
    Some(match code {
        KeyCode::Up => Command::Up,
        KeyCode::Down => Command::Down,
        KeyCode::PageUp => Command::PageUp,
        KeyCode::PageDown => Command::PageDown,
        KeyCode::Home => Command::First,
        KeyCode::End => Command::Last,
        KeyCode::Right | KeyCode::Enter => Command::Into,
        KeyCode::Left | KeyCode::Backspace => Command::Back,
        // The plus without the shift key, on many keyboards.
        KeyCode::Char('+' | '=') => Command::Deeper,
        KeyCode::Char('-') => Command::Shallower,
        KeyCode::Char('n') => Command::NextDifference,
        KeyCode::Char('f') => Command::Flip,
        KeyCode::Char('y' | 'c') => Command::Copy,
        KeyCode::Char('?') => Command::Help,
        KeyCode::Char('q') | KeyCode::Esc => Command::Leave,
        _ => Command::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Command> {
        command(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys() {
        assert_eq!(key(KeyCode::Enter, KeyModifiers::NONE), Some(Command::Into));
        assert_eq!(key(KeyCode::Char('+'), KeyModifiers::SHIFT), Some(Command::Deeper));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), Some(Command::Copy));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Interrupt));
        assert_eq!(key(KeyCode::Char('n'), KeyModifiers::CONTROL), Some(Command::Other));
        assert_eq!(key(KeyCode::Esc, KeyModifiers::NONE), Some(Command::Leave));
        assert_eq!(command(&Event::Resize(80, 24)), None);
    }
}

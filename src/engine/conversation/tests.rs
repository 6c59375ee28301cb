//! Conversations without programs and without waiting.
//!
//! A text is a line that the program prints, except for the other events: `~` is a silence in which it is idle, `~busy`
//! and `~unknown` are other silences, and `.` is the end of its output, after a failure `.failed`.

use super::counting::{AFTER_EARLY_SIGN, AFTER_OTHER};
use super::*;
use crate::engine::Dialect;

const FEN: &str = "8/8/8/8/8/8/8/K1k5 w - - 4 20";

fn event(text: &str) -> OutputEvent {
    match text {
        "~" => OutputEvent::Silence(Activity::Idle),
        "~busy" => OutputEvent::Silence(Activity::Busy),
        "~unknown" => OutputEvent::Silence(Activity::Unknown),
        "." => OutputEvent::End { has_failed: false },
        ".failed" => OutputEvent::End { has_failed: true },
        line => OutputEvent::Line(line.to_owned()),
    }
}

/// Returns what the program is sent during these events, and how the stage ends.
fn talk(conversation: &mut Conversation, events: &[&str]) -> String {
    let mut log = String::new();
    for (index, text) in events.iter().enumerate() {
        let is_silence = text.starts_with('~');
        assert!(!is_silence || conversation.patience().is_some(), "{text} is not heard after {log}");
        let end = match conversation.next(event(text)) {
            Action::Wait => continue,
            Action::Send(lines) => {
                log += &format!("> {} ", lines.trim().replace('\n', " "));
                continue;
            }
            Action::SendOneByOne => {
                log += "> one by one ";
                continue;
            }
            Action::Finish(Reply { state: State { fen: Some(fen), .. }, .. }) => format!("FEN {fen}"),
            Action::Finish(Reply { answer, .. }) if answer.is_empty() => "opened".to_owned(),
            Action::Finish(Reply { answer, .. }) => {
                format!("{} moves, {}", answer.moves.len(), answer.total())
            }
            Action::Fail(Failure::Ended) => "ended".to_owned(),
            Action::Fail(Failure::NotUnderstood { last, .. }) => {
                format!("not understood: {}", last.as_deref().unwrap_or("?"))
            }
            Action::Fail(Failure::NoState { .. }) => "no state".to_owned(),
            Action::Fail(Failure::Other(error)) => error.to_string(),
        };
        assert_eq!(index + 1, events.len(), "{end} after {text}");
        return log + &end;
    }
    log + "more"
}

fn spec(dialect: &str) -> EngineSpec {
    EngineSpec::of_words(vec!["x".to_owned()], dialect.parse::<Dialect>().unwrap()).unwrap()
}

fn conversation(sign: Sign) -> Conversation {
    Conversation::new(sign, &spec("uci"))
}

/// Asks for a count, of a program that has answered with a list of moves before.
fn count(sign: Sign, dialect: &str, events: &[&str]) -> String {
    let mut conversation = Conversation { earlier: Earlier::Moves, ..conversation(sign) };
    ask(&mut conversation, &spec(dialect), false);
    talk(&mut conversation, events)
}

fn ask(conversation: &mut Conversation, spec: &EngineSpec, uses_errors: bool) {
    conversation.begin(conversation.counting(spec, 2, "go perft 2".to_owned(), uses_errors));
}

fn introduction(is_trial: bool) -> Conversation {
    let settings = vec![("Hash".to_owned(), "1".to_owned()), ("UCI_Variant".to_owned(), "atomic".to_owned())];
    let spec = EngineSpec { is_trial, ..spec("uci") };
    Conversation { stage: Stage::Introducing(settings), ..Conversation::new(Sign::Silence, &spec) }
}

/// A UCI engine that says that it is ready. Each line is a kind of public engines.
#[test]
fn the_sign_ends_an_answer() {
    for (events, outcome) in [
        (&["e2e4: 20", "d2d4: 20", "", "Nodes searched: 40", "readyok"][..], "2 moves, 40"),
        (&["e2e4 -> 20", "nodes: 20", "readyok"], "1 moves, 20"),
        (&["move: e2e4   nodes: 20", "Nodes: 20", "readyok"], "1 moves, 20"),
        (&["info depth 2 nodes 400 time 1 nps 400000", "readyok"], "0 moves, 400"),
        (&["e2e4: 20", "20", "bestmove (none)", "readyok"], "1 moves, 20"),
        (&["e2e4 20", "Time: 1 ms, nodes: 20readyok"], "1 moves, 20"),
        (&["info string perft 2", "readyok", "~busy", "400", "readyok"], "> isready 0 moves, 400"),
        (&["readyok", "e2e4: 20", "~busy", "Nodes searched: 20", "readyok"], "> isready 1 moves, 20"),
        (&["readyok", "400", "e2e4: 400", "readyok"], "> isready 1 moves, 400"),
        (&["readyok", "~", "e2e4: 20", "Nodes: 20", "readyok"], "> isready 1 moves, 20"),
        (&["readyok", "~", "readyok", "e2e4: 20", "Nodes: 20", "readyok"], "> isready > isready 1 moves, 20"),
        (&["e2e4: 20", "d2d4: 20", "readyok", "~busy", "~"], "2 moves, 40"),
        (&["unknown command", "readyok", "~", "readyok", "~"], "> isready not understood: unknown command"),
        (&["readyok", "~", "readyok", "~"], "> isready not understood: "),
    ] {
        assert_eq!(count(Sign::Readyok, "uci", events), outcome, "{events:?}");
    }
    assert_eq!(count(Sign::Pong(3), "cecp-perft", &["e2e4 20", "pong 2", "20", "pong 4"]), "more");
}

#[test]
fn silence_ends_the_answer_of_a_program_without_a_sign() {
    for (events, outcome) in [
        (&["e2e4 20", "~busy", "d2d4 20", "40", "~"][..], "2 moves, 40"),
        (&["e2e4 20", "readyok", "~busy", "~"], "1 moves, 20"),
        (&["e2e4 20", "20", "~busy"], "1 moves, 20"),
        (&["400", "~"], "0 moves, 400"),
        (&["~busy", "~"], "not understood: "),
        (&["what?", "", "pardon?", "~"], "not understood: what?; pardon?"),
    ] {
        assert_eq!(count(Sign::Silence, "fen-perft", events), outcome, "{events:?}");
    }
}

#[test]
fn a_total_ends_the_answer_in_the_dialect_lines() {
    for (events, outcome) in [
        (&["e2e4 20", "d2d4 20", "40"][..], "2 moves, 40"),
        (&["~busy", "400"], "0 moves, 400"),
        (&["error: no such depth"], "the engine's answer is not a count: error: no such depth"),
        (&["hello", "~"], "not understood: hello"),
    ] {
        assert_eq!(count(Sign::Silence, "lines", events), outcome, "{events:?}");
    }
}

#[test]
fn a_search_is_no_answer() {
    let searched = SourceError::Searched("go perft 2".to_owned()).to_string();
    for line in ["bestmove e2e4", "info depth 1 score cp 20 pv e2e4"] {
        assert_eq!(count(Sign::Readyok, "uci", &[line]), searched);
    }
}

#[test]
fn the_end_of_the_output_may_end_an_answer() {
    for (events, outcome) in [
        (&["e2e4: 20", "20", ".failed"][..], "1 moves, 20"),
        (&["e2e4: 20", "."], "1 moves, 20"),
        (&["e2e4: 20", ".failed"], "ended"),
        (&["hello", "."], "ended"),
    ] {
        let mut conversation = conversation(Sign::Readyok);
        ask(&mut conversation, &spec("uci"), false);
        assert_eq!(talk(&mut conversation, events), outcome, "{events:?}");
        assert!(!conversation.is_idle(), "it has ended");
    }
}

/// Moves on standard error can come after the total and after the sign on standard output.
#[test]
fn a_total_alone_is_complete_once_it_is_known_that_no_moves_follow() {
    let (total, sign, moves) = ("40", "readyok", ["e2e4: 20", "d2d4: 20"]);
    let mut conversation = conversation(Sign::Readyok);
    ask(&mut conversation, &spec("uci"), false);
    assert_eq!(talk(&mut conversation, &[total, sign]), "more");
    assert_eq!(conversation.patience(), Some(AFTER_MOVES));
    assert_eq!(talk(&mut conversation, &[moves[0], moves[1], sign]), "> isready 2 moves, 40");
    ask(&mut conversation, &spec("uci"), true);
    assert_eq!(talk(&mut conversation, &[total, sign]), "more");
    assert_eq!(talk(&mut conversation, &["~"]), "0 moves, 40");
    ask(&mut conversation, &spec("uci"), false);
    assert_eq!(talk(&mut conversation, &[total, sign]), "0 moves, 40");
}

/// An engine that counts in another thread has more time for it from its second answer on.
#[test]
fn a_late_answer_is_expected_late() {
    let mut conversation = Conversation { earlier: Earlier::Totals, ..conversation(Sign::Readyok) };
    let mut patience_after_sign = || {
        ask(&mut conversation, &spec("uci"), false);
        assert_eq!(talk(&mut conversation, &["readyok"]), "more");
        let patience = conversation.patience();
        assert_eq!(talk(&mut conversation, &["400", "readyok"]), "> isready 0 moves, 400");
        patience
    };
    assert_eq!([patience_after_sign(), patience_after_sign()], [Some(AFTER_OTHER), Some(AFTER_EARLY_SIGN)]);
}

#[test]
fn a_trial_is_given_up_when_the_program_is_idle() {
    let trial = EngineSpec { is_trial: true, ..spec("uci") };
    let mut conversation = conversation(Sign::Readyok);
    ask(&mut conversation, &trial, false);
    assert_eq!(talk(&mut conversation, &["hm", "~busy", "~"]), "not understood: ?");
    ask(&mut conversation, &spec("uci"), false);
    assert_eq!(conversation.patience(), None);
}

/// Where the system does not say whether a program works, it counts as busy for some seconds.
#[test]
fn an_unknown_activity_is_believed_to_be_work_for_some_time() {
    let silences = |start: &'static str| {
        let mut conversation = Conversation { earlier: Earlier::Moves, ..conversation(Sign::Silence) };
        ask(&mut conversation, &spec("fen-perft"), false);
        assert_eq!(talk(&mut conversation, &[start]), "more");
        (1..).find(|_| talk(&mut conversation, &["~unknown"]) != "more").unwrap()
    };
    assert_eq!(silences("e2e4: 20"), 20);
    assert_eq!(silences("20"), 1);
}

#[test]
fn an_engine_lists_its_options_before_they_are_set() {
    let hash = "option name Hash type spin default 16";
    let variant = "option name UCI_Variant type combo default chess var chess var atomic";
    let sent = "> setoption name Hash value 1 setoption name UCI_Variant value atomic ucinewgame isready ";
    let mut conversation = introduction(true);
    let lines = ["hello", "id name Fish 1", hash, "~busy", variant, "uciok", "loading", "~busy", "readyok"];
    assert_eq!(talk(&mut conversation, &lines), format!("{sent}opened"));
    assert!(conversation.is_idle() && conversation.options.has("hash"));
    assert_eq!(conversation.name.as_deref(), Some("Fish 1"));

    let unseen =
        talk(&mut introduction(true), &[hash, variant, "uciok", "~", "~busy", "~", "~", "~", "readyok"]);
    assert_eq!(unseen, format!("{sent}> one by one opened"));
    for (events, outcome) in [
        (&[hash, "uciok"][..], "the engine has no option 'UCI_Variant'; it has: Hash"),
        (
            &[hash, "option name UCI_Variant type combo default chess var chess", "uciok"],
            "the option 'UCI_Variant' cannot be 'atomic'; it can be: chess",
        ),
        (&["hello", "~", "~busy", "~", "~unknown", "~", "~", "~"], "not understood: ?"),
        (&["hello", "."], "ended"),
    ] {
        assert_eq!(talk(&mut introduction(true), events), outcome);
    }
    assert_eq!(introduction(false).patience(), None, "its dialect is known, so it has the whole time limit");
}

#[test]
fn an_xboard_engine_may_have_features() {
    for (events, name, sign) in [
        (&["feature ping=1 myname=\"Crafty 1\"", "feature done=1"][..], Some("Crafty 1"), Sign::Pong(0)),
        (&["hello", "~"], None, Sign::Silence),
        (&["."], None, Sign::Silence),
    ] {
        let mut conversation = Conversation { stage: Stage::Announcing, ..conversation(Sign::Silence) };
        assert_eq!(talk(&mut conversation, events), "opened");
        assert_eq!((conversation.name.as_deref(), conversation.sign), (name, sign));
    }
}

#[test]
fn the_output_of_a_program_that_is_run_for_each_question_ends() {
    let run = |is_trial, events: &[&str]| {
        let spec = EngineSpec { is_trial, ..spec("perftree") };
        let stage = Stage::Running(Run::new(2, "2".to_owned()));
        talk(&mut Conversation { stage, ..Conversation::new(Sign::End, &spec) }, events)
    };
    let searched = SourceError::Searched("2".to_owned()).to_string();
    for (events, outcome) in [
        (&["e2e4 20", "", "20", "."][..], "1 moves, 20"),
        (&["e2e4 20", "20", ".failed"], "1 moves, 20"),
        (&["e2e4 20", "."], "1 moves, 20"),
        (&["e2e4 20", ".failed"], "ended"),
        (&["hello", ".failed"], "ended"),
        (&["hello", "."], "not understood: ?"),
        (&["bestmove e2e4", "."], &searched),
    ] {
        assert_eq!(run(false, events), outcome, "{events:?}");
    }
    assert_eq!(run(true, &["~", "~", "~busy", "~", "~", "~"]), "not understood: ?");
}

#[test]
fn a_search_lists_moves() {
    let list = |events: &[&str]| {
        let stage = Stage::Listing(Variations::default());
        talk(&mut Conversation { stage, ..conversation(Sign::Readyok) }, events)
    };
    let lines =
        ["info depth 1 multipv 1 pv e2e4", "info depth 1 multipv 2 pv d2d4 d7d5", "info pv e2e4", "x"];
    assert_eq!(list(&[&lines[..], &["bestmove e2e4"]].concat()), "2 moves, 2");
    assert_eq!(list(&["bestmove (none)"]), "0 moves, 0");
    assert_eq!(list(&["info depth 1 pv e2e4", "."]), "ended");
}

#[test]
fn a_state_ends_as_an_answer_does() {
    let fen = format!("Fen: {FEN}");
    let found = format!("FEN {FEN}");
    let without_end = format!("{fen}readyok");
    for (sign, events, outcome, is_idle) in [
        (Sign::Readyok, &["+---+", &fen, "readyok"][..], found.as_str(), true),
        (Sign::Readyok, &[&without_end], &found, true),
        (Sign::Readyok, &["what?", "readyok"], "no state", true),
        (Sign::Readyok, &[&fen, "."], &found, false),
        (Sign::Readyok, &["what?", "."], "ended", false),
        (Sign::Silence, &["~busy", &fen, "~"], &found, true),
        (Sign::Silence, &["what?", "~unknown"], "no state", false),
        (Sign::End, &[&fen, "."], &found, false),
        (Sign::End, &["what?", ".failed"], "no state", false),
    ] {
        let stage = Stage::Printing(Printing::new("d".to_owned()));
        let mut conversation = Conversation { stage, ..conversation(sign) };
        assert_eq!(talk(&mut conversation, events), outcome, "{sign:?} {events:?}");
        assert_eq!(conversation.is_idle(), is_idle, "{sign:?} {events:?}");
    }
}

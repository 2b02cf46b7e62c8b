//! Bare `ludus`: what would you like to play?

use super::{Common, play};
use crate::{
    error::bad_input,
    terminal::{Prompt, Style},
};
use ludus_core::options::split_name;
use ludus_players::{GAMES, Game};
use std::io::Write;

const LEVELS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

pub fn run(common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("--json goes with a command, expected one of those in ludus --help"));
    }
    let style = Style::detect();
    writeln!(out, "{}, where board-game minds play and train.\n", style.strong("Ludus"))?;
    for (number, game) in GAMES.iter().enumerate() {
        writeln!(out, "  {}  {:<14} {}", number + 1, game.name(), style.faint(game.about()))?;
    }
    writeln!(out, "\nEverything else: {}", style.strong("ludus --help"))?;
    let mut prompt = Prompt::new()?;
    let games: Vec<&str> = GAMES.iter().map(|game| game.id()).collect();
    let usual = games.iter().position(|&id| id == "draughts").unwrap_or(0);
    let Some(chosen) = choose(&mut prompt, out, "Which game?", &games, usual)? else {
        return Ok(());
    };
    let game = GAMES[chosen];
    let Some(opponent) = choose_opponent(&mut prompt, out, game, style)? else { return Ok(()) };
    play::run(&play::Args::against(game.id(), &opponent), common, out)
}

fn choose_opponent(
    prompt: &mut Prompt,
    out: &mut impl Write,
    game: &dyn Game,
    style: Style,
) -> anyhow::Result<Option<String>> {
    let players = game.players();
    writeln!(out)?;
    for (number, (id, about, _)) in players.iter().enumerate() {
        writeln!(out, "  {}  {id:<10} {}", number + 1, style.faint(about))?;
    }
    let ids: Vec<&str> = players.iter().map(|&(id, ..)| id).collect();
    let opponent = play::usual_opponent(game);
    let (name, _) = split_name(opponent);
    let usual = ids.iter().position(|&id| id == name).unwrap_or(0);
    match choose(prompt, out, "Which opponent?", &ids, usual)? {
        None => Ok(None),
        Some(chosen) if ids[chosen] == name && !opponent.contains("level=") => {
            Ok(Some(opponent.to_owned()))
        }
        Some(chosen) if ids[chosen] == "engine" => {
            let is_usual = |level: &&str| opponent.ends_with(&format!("level={level}"));
            let usual = LEVELS.iter().position(is_usual).unwrap_or(0);
            let level = choose(prompt, out, "Which level, 1 to 10?", &LEVELS, usual)?;
            Ok(level.map(|level| format!("engine:level={}", LEVELS[level])))
        }
        Some(chosen) => Ok(Some(ids[chosen].to_owned())),
    }
}

/// Asks until the answer is the number or the name of a choice; `None` if the user leaves.
fn choose(
    prompt: &mut Prompt,
    out: &mut impl Write,
    question: &str,
    choices: &[&str],
    usual: usize,
) -> anyhow::Result<Option<usize>> {
    let words: Vec<String> = choices.iter().map(ToString::to_string).collect();
    loop {
        out.flush()?;
        let question = format!("{question} [{}] ", choices[usual]);
        let Some(answer) = prompt.ask(&question, words.clone())? else { return Ok(None) };
        let by_number =
            answer.parse::<usize>().ok().filter(|number| (1..=choices.len()).contains(number));
        let by_name = choices.iter().position(|&choice| choice == answer);
        match by_number.map(|number| number - 1).or(by_name) {
            _ if answer.is_empty() => return Ok(Some(usual)),
            Some(index) => return Ok(Some(index)),
            None => writeln!(out, "Please answer with a number or a name from the list.")?,
        }
    }
}

use ludus_core::{Options, RecordFormat};
use ludus_players::{Finish, Game, Session};
use std::path::Path;
pub fn check_target(_: &Path, _: &dyn Game) -> anyhow::Result<()> {
    Ok(())
}
pub fn load(_: &Path, g: &dyn Game, o: &Options) -> anyhow::Result<Box<dyn Session>> {
    Ok(g.open(o, None)?)
}
pub fn save(_: &Path, _: &dyn Session, _: &[String; 2], _: Option<Finish>) -> anyhow::Result<()> {
    Ok(())
}
pub fn extension(_: RecordFormat) -> &'static str {
    "pgn"
}

use super::Common;
use std::io::Write;
/// Convert
#[derive(clap::Args)]
pub struct Args {}
pub fn run(_: &Args, _: &Common, _: &mut impl Write) -> anyhow::Result<()> {
    Ok(())
}

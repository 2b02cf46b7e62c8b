use super::Common;
#[derive(clap::Args)]
pub struct Args {}
pub fn run(_: &Args, _: &Common, _: &mut impl std::io::Write) -> anyhow::Result<()> {
    Ok(())
}

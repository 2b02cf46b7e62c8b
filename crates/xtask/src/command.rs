//! Running external commands.

use anyhow::{Context, Result, bail};
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The root of the repository.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this package is two folders below the root")
}

/// A path under `target/` for files that can be regenerated.
pub fn scratch(name: &str) -> PathBuf {
    root().join("target").join(name)
}

/// A command that runs in the root of the repository.
pub fn program(name: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(name.as_ref());
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs this task.
pub fn cargo(arguments: &[&str]) -> Command {
    program(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// The release build of `ludus`, built first if necessary.
pub fn ludus(arguments: &[&str]) -> Command {
    let run = ["run", "--release", "--quiet", "--package", "ludus-app", "--bin", "ludus", "--"];
    cargo(&[&run[..], arguments].concat())
}

/// Runs `command`, which must succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", shown(command));
    }
    Ok(())
}

/// Standard output of `command`, which must succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        bail!("{} failed: {}", shown(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("{} does not print UTF-8", shown(command)))
}

/// Whether `command` can be started and succeeds; its output is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// `command` as typed in a shell.
pub fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let quoted = |word: &str| {
        if word.is_empty() || word.contains(' ') { format!("{word:?}") } else { word.to_owned() }
    };
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_name_the_command() {
        let error = run(&mut program("/nowhere/to be found", &["a b", "c"])).unwrap_err();
        assert_eq!(error.to_string(), "cannot start \"to be found\" \"a b\" c");
        assert!(!succeeds(&mut cargo(&["no-such-subcommand"])));
        assert!(output(&mut cargo(&["--version"])).unwrap().starts_with("cargo "));
    }
}

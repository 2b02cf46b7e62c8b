//! Input prompt, with editing, history and completion if stdin is a terminal.

use crate::error::bad_input;
use rustyline::{
    CompletionType, Config, Context, Editor, Helper, completion::Completer, error::ReadlineError,
    highlight::Highlighter, hint::Hinter, history::MemHistory, validate::Validator,
};
use std::io;

/// Reads input lines from the user.
pub struct Prompt {
    editor: Editor<Words, MemHistory>,
}

/// Words for completion by Tab.
#[derive(Default)]
struct Words(Vec<String>);

impl Prompt {
    pub fn new() -> anyhow::Result<Prompt> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Words::default()));
        Ok(Prompt { editor })
    }

    /// Reads a line; Tab completes to one of `words`. `None` at the end of input or after Ctrl-C or
    /// Ctrl-D.
    pub fn ask(&mut self, question: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        self.editor.set_helper(Some(Words(words)));
        match self.editor.readline(question) {
            Ok(line) => {
                let line = line.trim().to_owned();
                self.editor.add_history_entry(&line)?;
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Err(bad_input("stdin: expected UTF-8 text"))
            }
            Err(error) => Err(anyhow::anyhow!("cannot read stdin: {error}")),
        }
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let fits = |word: &&String| word.starts_with(&line[..cursor]);
        Ok((0, self.0.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

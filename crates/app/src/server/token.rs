//! The access token, and the session cookie that stands for it in a browser.

use sha2::{Digest, Sha256};
use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

/// Minimum length of a token.
pub const MIN_TOKEN_CHARS: usize = 16;
/// File in the data directory with the key of the session cookies.
const SESSION_KEY_FILE: &str = "session-key";

type Hash = [u8; 32];

/// The secret that clients must know. Only its hash stays in memory.
pub struct Token(Hash);

impl Token {
    /// Checks that a token is long enough, and that it can stand in URLs and headers as it is.
    pub fn new(text: &str) -> Result<Token, String> {
        let expected = format!(
            "expected at least {MIN_TOKEN_CHARS} characters, such as those that \
             openssl rand -hex 16 makes"
        );
        if text.is_empty() {
            return Err(format!("the token is empty: {expected}"));
        }
        let count = text.chars().count();
        if count < MIN_TOKEN_CHARS {
            return Err(format!("the token has {count} characters: {expected}"));
        }
        let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~".contains(&letter);
        if !text.bytes().all(fits) {
            return Err(
                "the token: expected only letters, digits, and the signs - . _ ~".to_owned()
            );
        }
        Ok(Token(sha256(&[text.as_bytes()])))
    }

    /// A new random token, as text.
    pub fn generate() -> io::Result<String> {
        let mut bytes = [0; 16];
        fill_random(&mut bytes)?;
        Ok(hex(&bytes))
    }

    /// Whether `given` is this token. It takes the same time wherever the two differ.
    pub fn is(&self, given: &str) -> bool {
        constant_time_eq(&sha256(&[given.as_bytes()]), &self.0)
    }

    /// The cookie of browsers that have shown this token once: worthless without the key, and with another
    /// token. It cannot be guessed, even if the token can, so it needs no limit on attempts.
    pub fn session(&self, key: &SessionKey) -> Session {
        Session(hex(&sha256(&[&key.0, &self.0])))
    }
}

/// Value of the session cookie.
pub struct Session(String);

impl Session {
    pub fn is(&self, given: &str) -> bool {
        let hash = |text: &str| sha256(&[text.as_bytes()]);
        constant_time_eq(&hash(given), &hash(&self.0))
    }

    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Secret of this server from which session cookies are derived.
pub struct SessionKey(Hash);

impl SessionKey {
    /// Reads the key of a data directory, so that sessions outlive a restart; the first time, makes it.
    pub fn load_or_create(folder: &Path) -> io::Result<SessionKey> {
        let path = folder.join(SESSION_KEY_FILE);
        if let Some(key) = fs::read(&path).ok().and_then(|bytes| Hash::try_from(bytes).ok()) {
            return Ok(SessionKey(key));
        }
        let mut key = [0; 32];
        fill_random(&mut key)?;
        write_private(&path, &key)?;
        Ok(SessionKey(key))
    }
}

/// Writes a file that only its owner may read, whole or not at all.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial: PathBuf = path.with_extension("partial");
    let _ = fs::remove_file(&partial); // left by a crash, and perhaps with other permissions
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&partial, path)
}

fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes)
        .map_err(|error| io::Error::other(format!("no random numbers from the system: {error}")))
}

fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares without stopping at the first difference, whose place the time would reveal.
fn constant_time_eq(one: &Hash, other: &Hash) -> bool {
    one.iter().zip(other).fold(0, |found, (one, other)| found | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_are_easy_to_guess_are_refused() {
        let refused = |text: &str| Token::new(text).err().unwrap();
        assert!(refused("").contains("is empty"));
        assert!(refused("secret").contains("has 6 characters: expected at least 16"));
        assert!(refused("a token with blanks").contains("only letters"));
        assert!(refused("sixteen;semicolons").contains("only letters"));
        assert!(Token::new("sixteen-letters.").is_ok());
        let made = Token::generate().unwrap();
        assert!(Token::new(&made).is_ok() && made != Token::generate().unwrap());
    }

    #[test]
    fn only_the_whole_token_is_right() {
        let token = Token::new("sixteen-letters.").unwrap();
        assert!(token.is("sixteen-letters."));
        for wrong in ["", "sixteen-letters", "sixteen-letters..", "Sixteen-letters."] {
            assert!(!token.is(wrong), "{wrong}");
        }
    }

    #[test]
    fn sessions_outlive_a_restart_but_not_a_new_token() {
        let folder = tempfile::tempdir().unwrap();
        let session = |token: &str| {
            let key = SessionKey::load_or_create(folder.path()).unwrap();
            Token::new(token).unwrap().session(&key)
        };
        let first = session("sixteen-letters.");
        assert!(session("sixteen-letters.").is(first.text()));
        assert!(!session("sixteen-letters-").is(first.text()));
        assert!(!first.is("sixteen-letters."));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let file = fs::metadata(folder.path().join(SESSION_KEY_FILE)).unwrap();
            assert_eq!(file.permissions().mode() & 0o777, 0o600);
        }
        fs::remove_file(folder.path().join(SESSION_KEY_FILE)).unwrap();
        assert!(!session("sixteen-letters.").is(first.text()));
    }
}

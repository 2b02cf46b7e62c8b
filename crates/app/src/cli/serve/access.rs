//! Options of `ludus serve` for access from other computers: the token and proxies.

use crate::{
    error::bad_input,
    server::{AccessRules, Login, PublicUrl, SessionKey, Token},
};
use std::{
    env,
    ffi::OsString,
    fs,
    net::IpAddr,
    path::{Path, PathBuf},
};

/// Environment variable with the token.
const TOKEN_VARIABLE: &str = "LUDUS_TOKEN";
/// Environment variable by which systemd names the folder of credentials, and the credential in it.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";
const CREDENTIAL: &str = "ludus-token";
/// Value of `--token` that makes a new one.
const NEW_TOKEN: &str = "new";

#[derive(clap::Args, Default)]
pub struct AccessArgs {
    /// File with the secret token required from clients (at least 16 characters); else LUDUS_TOKEN or the
    /// systemd credential ludus-token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The token itself, which other users of this computer can read; `new` makes one and shows it
    #[arg(long, value_name = "TEXT", conflicts_with = "token_file")]
    token: Option<String>,
    /// Name by which people reach the server through a proxy on this computer, such as
    /// https://ludus.example.org
    #[arg(long, value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// Another proxy whose X-Forwarded-For header is trusted (may be repeated)
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
}

/// A token and how it was given.
struct GivenToken {
    text: String,
    /// Its source, for error messages.
    source: String,
}

/// Access rules, and a new token to show.
pub struct Access {
    pub rules: AccessRules,
    pub new_token: Option<String>,
}

impl AccessArgs {
    /// Reads and checks the token; `data` is the data directory.
    pub fn access(&self, data: &Path) -> anyhow::Result<Access> {
        let new_token = match self.token.as_deref() {
            Some(NEW_TOKEN) => Some(Token::generate()?),
            _ => None,
        };
        let given = match &new_token {
            Some(text) => Some(GivenToken { text: text.clone(), source: "--token".to_owned() }),
            None => self.given_token(&|name| env::var_os(name))?,
        };
        let login = given.map(|given| login(&given, data)).transpose()?;
        let rules = AccessRules {
            login,
            public_url: self.public_url.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
        };
        Ok(Access { rules, new_token })
    }

    /// The token of the first source that has one. An empty one counts: a script whose variable is unset must
    /// not open the server.
    fn given_token(
        &self,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> anyhow::Result<Option<GivenToken>> {
        if let Some(text) = &self.token {
            return Ok(Some(GivenToken { text: text.clone(), source: "--token".to_owned() }));
        }
        if let Some(file) = &self.token_file {
            return read_token(file).map(Some);
        }
        if let Some(text) = variable(TOKEN_VARIABLE) {
            let text = text.to_str().unwrap_or_default().trim().to_owned();
            return Ok(Some(GivenToken { text, source: TOKEN_VARIABLE.to_owned() }));
        }
        let credential =
            variable(CREDENTIALS_VARIABLE).map(|folder| Path::new(&folder).join(CREDENTIAL));
        credential.filter(|file| file.exists()).map(|file| read_token(&file)).transpose()
    }
}

fn read_token(file: &Path) -> anyhow::Result<GivenToken> {
    let source = file.display().to_string();
    match fs::read_to_string(file) {
        Ok(text) => Ok(GivenToken { text: text.trim().to_owned(), source }),
        Err(error) => Err(bad_input(format!("cannot read the token in {source}: {error}"))),
    }
}

fn login(given: &GivenToken, data: &Path) -> anyhow::Result<Login> {
    let GivenToken { text, source } = given;
    let token = Token::new(text).map_err(|problem| bad_input(format!("{source}: {problem}")))?;
    let key = SessionKey::load_or_create(data).map_err(|error| {
        bad_input(format!("cannot keep the key of sessions in {}: {error}", data.display()))
    })?;
    Ok(Login::new(token, &key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &AccessArgs, variables: &[(&str, &str)]) -> Result<Option<String>, String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let given = arguments.given_token(&variable);
        given.map(|given| given.map(|given| given.text)).map_err(|error| error.to_string())
    }

    #[test]
    fn tokens_come_from_a_file_a_variable_or_a_credential() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let credentials = (CREDENTIALS_VARIABLE, path);
        let variable = (TOKEN_VARIABLE, "from-the-variable");
        assert_eq!(given(&AccessArgs::default(), &[]), Ok(None));
        assert_eq!(given(&AccessArgs::default(), &[credentials]), Ok(None));
        fs::write(folder.path().join(CREDENTIAL), "from-systemd-itself\n").unwrap();
        let found = given(&AccessArgs::default(), &[credentials]);
        assert_eq!(found, Ok(Some("from-systemd-itself".to_owned())));
        let found = given(&AccessArgs::default(), &[credentials, variable]);
        assert_eq!(found, Ok(Some("from-the-variable".to_owned())));
        let file = folder.path().join(CREDENTIAL);
        let arguments = || AccessArgs { token_file: Some(file.clone()), ..AccessArgs::default() };
        assert_eq!(given(&arguments(), &[variable]), Ok(Some("from-systemd-itself".to_owned())));
        fs::remove_file(&file).unwrap();
        assert!(given(&arguments(), &[variable]).unwrap_err().contains("cannot read the token in"));
    }

    #[test]
    fn empty_and_short_tokens_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |text: &str| {
            let arguments = AccessArgs { token: Some(text.to_owned()), ..AccessArgs::default() };
            arguments.access(folder.path()).err().unwrap().to_string()
        };
        assert!(refused("").contains("--token: the token is empty"));
        assert!(refused("short").contains("expected at least 16 characters"));
        let empty = given(&AccessArgs::default(), &[(TOKEN_VARIABLE, "")]);
        assert_eq!(empty, Ok(Some(String::new())), "an empty variable is not no token");
    }

    #[test]
    fn a_new_token_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = AccessArgs { token: Some("new".to_owned()), ..AccessArgs::default() };
        let access = arguments.access(folder.path()).unwrap();
        assert!(access.rules.login.is_some());
        assert_eq!(access.new_token.unwrap().len(), 32);
    }
}

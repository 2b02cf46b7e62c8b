//! The API of the server against its OpenAPI description: schemathesis makes requests from the description
//! and checks the status, headers and body of every response.

use crate::{
    command::{program, root, run, succeeds},
    python,
    report::{TestCounts, TestReport},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

const NAME: &str = "schemathesis (the API against its OpenAPI description)";
const VERSION: &str = "4.32.5";
/// Requests for each operation.
const MAX_EXAMPLES: &str = "25";
/// Checks of every response. The server refuses much that its schemas allow, such as names of games
/// that do not exist, so valid requests need not succeed.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// Adds the step, or notes why it is skipped.
pub fn step(report: &mut TestReport) {
    if !succeeds(&mut program("python3", &["--version"])) {
        return report.skip(NAME, "python3 is not installed");
    }
    match python::install("schemathesis", "schemathesis", VERSION, None) {
        Ok(python) => {
            report.step(NAME, || check(&python).map(|()| TestCounts::pass()));
        }
        Err(error) => report.skip(NAME, &format!("{error:#}")),
    }
}

fn check(python: &Path) -> Result<()> {
    let server = Server::start()?;
    let description = format!("http://{}/api/openapi.json", server.address);
    let arguments = ["run", &description, "--checks", CHECKS, "--max-examples", MAX_EXAMPLES];
    let mut command = program(python.with_file_name("schemathesis"), &arguments);
    command.args(["--seed", "1", "--phases", "examples,coverage,fuzzing", "--no-color"]);
    // It leaves a folder of its own where it runs.
    run(command.current_dir(&server.data))
}

/// `ludus serve` as the tests have built it, with a data directory of its own.
struct Server {
    child: Child,
    address: String,
    data: PathBuf,
}

impl Server {
    fn start() -> Result<Server> {
        let data = std::env::temp_dir().join(format!("ludus-schemathesis-{}", std::process::id()));
        let binary = root().join("target/debug/ludus");
        let mut child = Command::new(&binary)
            .args(["serve", "--port", "0", "--data-dir"])
            .arg(&data)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let mut line = String::new();
        let output = child.stdout.take().context("the output of the server")?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split([' ', '/']).next());
        let address = address.map(str::to_owned);
        let mut server = Server { child, address: String::new(), data };
        let Some(address) = address else { bail!("the server printed {line:?}") };
        server.address = address;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.data);
    }
}

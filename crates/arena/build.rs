//! Sets `LUDUS_BUILD`, the build id of the players: see `src/build/mod.rs`.

use std::{env, path::Path, process::ExitCode};

#[path = "src/build/sources.rs"]
mod sources;

fn main() -> ExitCode {
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let Some(root) = Path::new(&folder).parent().and_then(Path::parent) else {
        return ExitCode::FAILURE;
    };
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/build/sources.rs");
    // Outside the workspace the sources of the other crates are missing.
    if !root.join(sources::FOLDERS[0]).is_dir() {
        println!("cargo:rustc-env=LUDUS_BUILD=unknown build");
        return ExitCode::SUCCESS;
    }
    match sources::read(root) {
        Ok(found) => {
            for file in found.files {
                println!("cargo:rerun-if-changed={}", file.display());
            }
            println!("cargo:rustc-env=LUDUS_BUILD={}", found.hash);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot compute the build id: {error}");
            ExitCode::FAILURE
        }
    }
}

use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// Size of a package on crates.io, at most.
const MAX_PACKAGE_BYTES: u64 = 8 << 20;

/// Paths of the embedded files within the crate.
fn embedded() -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(source).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for macro_call in ["include_str!(\"../", "include_bytes!(\"../"] {
            let calls = text.split(macro_call).skip(1);
            files.extend(calls.filter_map(|after| after.split('"').next()).map(str::to_owned));
        }
    }
    files.retain(|file| !file.ends_with('\\'));
    files
}

#[test]
fn the_package_has_what_is_embedded_and_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargo = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&cargo.stderr);
    assert!(cargo.status.success(), "{messages}");
    let listed: BTreeSet<String> =
        String::from_utf8_lossy(&cargo.stdout).lines().map(str::to_owned).collect();
    let embedded = embedded();
    assert!(embedded.len() > 20, "{embedded:?}");
    let missing: Vec<_> = embedded.difference(&listed).collect();
    assert!(missing.is_empty(), "add to `include` in data/Cargo.toml: {missing:?}");
    // Cargo itself writes the rest, such as `Cargo.lock`.
    let size = |file: &String| fs::metadata(root.join(file)).map_or(0, |it| it.len());
    let bytes: u64 = listed.iter().map(size).sum();
    assert!(bytes <= MAX_PACKAGE_BYTES, "{bytes} bytes");
    for unshipped in ["go/games-9x9.txt", "learn/dual.toml", "ratings/chess.toml"] {
        assert!(!listed.contains(unshipped), "{unshipped}");
    }
}

// A number for the sources of `deed-init`: its files, and the locked versions of everything that it depends on. The
// build script and scripts/init.sh compute it; where they differ, the binary in this folder is stale. It detects
// oversight and not malice: the binary itself has a SHA-256, which is checked whenever it is put in place.

/// The number, in hex.
fn sources(init: &std::path::Path, lock: &std::path::Path) -> std::io::Result<String> {
    let mut files = vec![init.join("Cargo.toml")];
    let mut open = vec![init.join("src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    // FNV-1a.
    let mut state = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let mut add = |bytes: &[u8]| {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            state = (state ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    };
    for file in files {
        add(file.strip_prefix(init).unwrap_or(&file).to_string_lossy().as_bytes());
        let content = std::fs::read(&file)?;
        // Of the manifest only what it depends on: the rest describes the package and changes no byte of the binary.
        let manifest = file.ends_with("Cargo.toml").then(|| String::from_utf8_lossy(&content).into_owned());
        let dependencies = manifest.as_deref().and_then(|text| Some(text.get(text.find("[dependencies]")?..)?.to_owned()));
        add(dependencies.as_deref().map_or(content.as_slice(), str::as_bytes));
    }
    for package in locked(&std::fs::read_to_string(lock)?, "deed-init") {
        add(package.as_bytes());
    }
    Ok(format!("{state:032x}"))
}

/// The entries of the lock file for a package and everything below it, in order.
fn locked(lock: &str, root: &str) -> Vec<String> {
    let entries: Vec<&str> = lock.split("[[package]]").skip(1).map(str::trim).collect();
    let field = |entry: &str, name: &str| {
        entry.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(" = ")?.trim_matches('"').to_owned()))
    };
    let mut open = vec![root.to_owned()];
    let mut found: Vec<&str> = Vec::new();
    while let Some(wanted) = open.pop() {
        // `name`, or `name version` where there are several.
        let (name, version) = wanted.split_once(' ').unwrap_or((&wanted, ""));
        for entry in &entries {
            let same_version = version.is_empty() || field(entry, "version").as_deref() == Some(version);
            if field(entry, "name").as_deref() == Some(name) && same_version && !found.contains(entry) {
                found.push(entry);
                let below = entry.split("dependencies = [").nth(1).unwrap_or_default();
                open.extend(below.lines().filter_map(|line| Some(line.trim().strip_prefix('"')?.trim_end_matches("\",").to_owned())));
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(str::to_owned).collect()
}

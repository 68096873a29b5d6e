//! Gathers the pages under `codes/` into one table, so that adding a code means adding a file.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = env::current_dir()?.join("codes");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut names: Vec<String> = fs::read_dir(&root)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
        .collect();
    names.sort();
    let mut table = String::from("pub(crate) const PAGES: &[(&str, &str)] = &[\n");
    for name in names {
        let path = root.join(format!("{name}.md"));
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(table, "    ({name:?}, include_str!({path:?})),")?;
    }
    table.push_str("];\n");
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("pages.rs"), table)?;
    Ok(())
}

//! Generates the constants of `codes` and the table of pages from the files under `codes/`.
//!
//! A page is called `D2036-isolation-too-weak.md`: code and name of its constant. Adding a code means adding a file.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = env::current_dir()?.join("codes");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or("a page has no readable name")?.to_owned();
        let (code, name) = stem.split_once('-').ok_or_else(|| format!("{stem}: not CODE-NAME.md"))?;
        let constant = name.to_uppercase().replace('-', "_");
        if let Some((other, _)) = files.insert(constant.clone(), (code.to_owned(), path)) {
            return Err(format!("{code} and {other} are both called {constant}").into());
        }
    }
    let mut pages = String::from("pub(crate) const PAGES: &[(Code, &str, &str)] = &[\n");
    let mut constants = String::new();
    let mut by_code: Vec<_> = files.iter().map(|(name, (code, path))| (code, name, path)).collect();
    by_code.sort();
    for (code, name, path) in by_code {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path)?;
        let heading = text.lines().next().unwrap_or_default();
        let title = heading
            .strip_prefix(&format!("# {code}: "))
            .ok_or_else(|| format!("{code}: the page does not begin with `# {code}: `"))?;
        writeln!(constants, "/// {code}: {title}.\npub const {name}: Code = Code::new({code:?});")?;
        writeln!(pages, "    (codes::{name}, {name:?}, include_str!({path:?})),")?;
    }
    pages.push_str("];\n");
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("pages.rs"), pages)?;
    fs::write(Path::new(&out).join("codes.rs"), constants)?;
    Ok(())
}

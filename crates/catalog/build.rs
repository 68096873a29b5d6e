//! Gathers the files of the built-in catalogue into one compressed text and a table of its parts, so that adding a pack
//! means adding a folder.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = env::current_dir()?.join("../../catalog").canonicalize()?;
    let mut files = Vec::new();
    gather(&root, &mut files)?;
    files.sort();
    let mut table = String::from("/// The name and the length of every file.\nconst FILES: &[(&str, usize)] = &[\n");
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for path in files {
        let name = path.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        let text = fs::read(&path)?;
        writeln!(table, "    ({name:?}, {}),", text.len())?;
        encoder.write_all(&text)?;
    }
    table.push_str("];\n");
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("files.rs"), table)?;
    fs::write(Path::new(&out).join("files"), encoder.finish()?)?;
    Ok(())
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "json") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

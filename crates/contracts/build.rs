//! Compresses the generated schemas under `schemas/` into two archives, one of documents and one of commands.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a build script: a schema that cannot be read stops the build"
)]

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let schemas = Path::new("../../schemas");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", schemas.display());
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (archive, folder) in [("documents", schemas), ("commands", &schemas.join("cli"))] {
        let text = serde_json::to_vec(&read(folder)).expect("a value has a text");
        let file = fs::File::create(Path::new(&out).join(archive)).expect("OUT_DIR can be written");
        let mut encoder = ZlibEncoder::new(file, Compression::best());
        encoder.write_all(&text).expect("OUT_DIR can be written");
        encoder.finish().expect("OUT_DIR can be written");
    }
}

/// The schemas of a folder by the name of their file.
fn read(folder: &Path) -> Map<String, Value> {
    let mut schemas = Map::new();
    for entry in fs::read_dir(folder).expect("the schemas are in the repository") {
        let path = entry.expect("the schemas are in the repository").path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".json")) {
            let text = fs::read(&path).expect("the schemas are in the repository");
            schemas.insert(name.to_owned(), serde_json::from_slice(&text).expect("a schema is JSON"));
        }
    }
    schemas
}

//! The generated TypeScript types: fresh, accepted by the compiler, and the types of documents that are valid.
//!
//! The compiler is looked for at `DEED_TSC` and in `target/typescript`, where `scripts/typescript.sh` puts it. Without it
//! only freshness is tested.

use crate::common::Project;
use crate::context::example::{context, example};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn compiler() -> Option<PathBuf> {
    let named = std::env::var_os("DEED_TSC").map(PathBuf::from);
    let found = named.unwrap_or_else(|| root().join("target/typescript/node_modules/.bin/tsc"));
    if !found.is_file() {
        println!("skipped: no TypeScript compiler; `scripts/typescript.sh` installs it");
        return None;
    }
    Some(found)
}

/// Compiles files of a folder; returns what the compiler says, empty if it accepts them.
fn compiled(tsc: &Path, folder: &Path, files: &[String]) -> String {
    let options = ["--strict", "--noEmit", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
    let out = Command::new(tsc).args(options).args(files).current_dir(folder).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files_of(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

#[test]
fn the_types_are_those_that_the_command_writes() {
    let p = Project::bare();
    p.ok(&["schema", "--types", "types"]);
    let kept = root().join("schemas/typescript");
    let relative = |folder: &Path| -> Vec<PathBuf> {
        files_of(folder).iter().map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
    };
    let made = relative(&p.path("types"));
    assert_eq!(made, relative(&kept), "run `make schemas`");
    for name in made {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(&name)).unwrap();
        assert!(read(&p.path("types")) == read(&kept), "{} is out of date: run `make schemas`", name.display());
    }
    assert_eq!(p.run(&["schema", "runs", "show", "--types", "types"]).code, 2);
}

#[test]
fn the_compiler_accepts_all_types() {
    let Some(tsc) = compiler() else { return };
    let folder = root().join("schemas/typescript");
    let files: Vec<String> = files_of(&folder).iter().map(|path| path.display().to_string()).collect();
    assert!(files.len() > 100);
    assert_eq!(compiled(&tsc, &folder, &files), "");
}

/// A document as a constant of a type.
fn constant(name: &str, module: &str, document: &Value) -> String {
    let module = root().join("schemas/typescript").join(module);
    format!("import type {{ {name} }} from \"{}\";\nexport const value: {name} = {document:#};\n", module.display())
}

#[test]
fn documents_of_the_examples_have_their_types() {
    let Some(tsc) = compiler() else { return };
    let p = example();
    p.ok(&context("record", &["--evidence", "evidence.yaml", "--memory", "memory.yaml", "--out", "archive/a.json"]));
    let document = |file: &str| serde_json::from_str(&p.ok(&["canon", file]).stdout).unwrap();
    let data = |args: &[&str]| p.json(args);
    let compile = data(&context("compile", &["--evidence", "evidence.yaml", "--memory", "memory.yaml"]));
    let documents: [(&str, &str, Value); 12] = [
        ("ContextPack", "context-pack.v2", document("support/pack.yaml")),
        ("ContextOverlay", "context-overlay.v1", document("support/overlays/staging.yaml")),
        ("InvokeRequest", "invoke-request.v1", document("request.yaml")),
        ("RunContext", "run-context.v1", document("run.yaml")),
        ("Evidence", "evidence.v1", document("evidence.yaml")),
        ("Memory", "memory.v1", document("memory.yaml")),
        ("ReplayBundle", "replay-bundle.v2", document("archive/a.json")),
        ("CompiledContext", "compiled-context.v1", compile["data"].clone()),
        ("ContextCompileOutput", "cli/context-compile", compile.clone()),
        ("ContextStatsOutput", "cli/context-stats", data(&["context", "stats", "archive"])),
        ("ContextReplayOutput", "cli/context-replay", data(&["context", "replay", "archive"])),
        (
            "ContextSweepOutput",
            "cli/context-sweep",
            data(&context("sweep", &["--vary", "request.context.refund_amount=1..3"])),
        ),
    ];
    let mut files = Vec::new();
    for (name, module, document) in &documents {
        let file = format!("{name}.ts");
        p.write(&file, constant(name, module, document));
        files.push(file);
    }
    assert_eq!(compiled(&tsc, &p.path(""), &files), "");
    // A type that accepts anything would hold for anything.
    let mut wrong = document("request.yaml");
    wrong["input"]["intent"] = Value::from(7);
    p.write("Wrong.ts", constant("InvokeRequest", "invoke-request.v1", &wrong));
    let said = compiled(&tsc, &p.path(""), &["Wrong.ts".to_owned()]);
    assert!(said.contains("Type 'number' is not assignable to type 'string'"), "{said}");
    let mut missing = compile;
    missing["data"].as_object_mut().unwrap().remove("manifests");
    p.write("Missing.ts", constant("ContextCompileOutput", "cli/context-compile", &missing));
    assert!(compiled(&tsc, &p.path(""), &["Missing.ts".to_owned()]).contains("manifests"));
}

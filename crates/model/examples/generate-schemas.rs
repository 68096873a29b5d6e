//! Writes the schemas into a folder, or with `--check` compares them with what is there.

use std::path::Path;
use std::process::ExitCode;

#[allow(clippy::disallowed_methods, reason = "a development tool that writes files")]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let check = args.iter().any(|a| a == "--check");
    let Some(folder) = args.iter().find(|a| !a.starts_with("--")) else {
        eprintln!("usage: generate-schemas [--check] FOLDER");
        return ExitCode::from(2);
    };
    let mut stale = Vec::new();
    for file in deed_model::schemas() {
        let path = Path::new(folder).join(file.name);
        let text = format!("{:#}\n", file.schema);
        if check {
            if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
                stale.push(path.display().to_string());
            }
        } else if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::from(3);
        }
    }
    if stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("out of date, run `make schemas`: {}", stale.join(", "));
    ExitCode::from(1)
}

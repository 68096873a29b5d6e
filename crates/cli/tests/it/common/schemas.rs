//! Holds every document that a test reads to the schema of its command.

use deed_schema::Schema;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/cli")
}

/// Schemas by command.
pub(crate) static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let title = schema["title"].as_str().unwrap();
            let command = title.strip_prefix("deed ").and_then(|title| title.strip_suffix(" --json")).unwrap();
            (command.to_owned(), schema)
        })
        .collect()
});

/// Compiled schemas, since many tests ask for the same ones.
static READY: Mutex<BTreeMap<String, Schema>> = Mutex::new(BTreeMap::new());

/// The document that a command printed satisfies the schema of that command.
#[track_caller]
pub(crate) fn holds(args: &[&str], document: &Value) {
    let words: Vec<&str> = args.iter().copied().take_while(|word| !word.starts_with('-')).collect();
    let named = |length: usize| SCHEMAS.get_key_value(&words.get(..length)?.join(" "));
    // A command line that names no command is refused, and its data is null.
    let Some((command, schema)) = (1..=3).rev().find_map(named) else {
        assert_eq!(document["data"], Value::Null, "{args:?}");
        return;
    };
    let mut ready = READY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let schema = ready.entry(command.clone()).or_insert_with(|| Schema::new(schema.clone()).unwrap());
    assert_eq!(schema.is_valid(document), Ok(true), "deed {command} --json\n{document:#}");
}

//! Shared by the tests: running an adapter on bytes.

use deed_adapters::{Adapted, AdapterError, Input, NoteKind, Settings, find};
use std::io::Cursor;

/// Runs an adapter on inputs in memory.
pub(crate) fn run(id: &str, inputs: &[&[u8]], settings: &Settings<'_>) -> Result<(Vec<u8>, Adapted), AdapterError> {
    let mut cursors: Vec<Cursor<&[u8]>> = inputs.iter().map(|bytes| Cursor::new(*bytes)).collect();
    let mut inputs: Vec<&mut dyn Input> = cursors.iter_mut().map(|cursor| cursor as &mut dyn Input).collect();
    let mut output = Vec::new();
    let adapter = find(id).unwrap_or_else(|| panic!("no adapter {id}"));
    let adapted = adapter.run(&mut inputs, &mut output, settings)?;
    assert_eq!(adapted.bytes, output.len() as u64, "{id} counts what it writes");
    Ok((output, adapted))
}

/// The output as text, and the notes as kinds with counts.
pub(crate) fn text(id: &str, inputs: &[&str], settings: &Settings<'_>) -> (String, Vec<(NoteKind, u64)>) {
    let inputs: Vec<&[u8]> = inputs.iter().map(|text| text.as_bytes()).collect();
    let (output, adapted) = run(id, &inputs, settings).unwrap_or_else(|error| panic!("{id}: {error}"));
    (String::from_utf8(output).unwrap(), adapted.notes.iter().map(|note| (note.kind, note.count)).collect())
}

/// The refusal, as its code and its words with the place.
pub(crate) fn refusal(id: &str, inputs: &[&[u8]], settings: &Settings<'_>) -> (&'static str, String) {
    match run(id, inputs, settings) {
        Ok((output, _)) => panic!("{id} is not refused: {}", String::from_utf8_lossy(&output)),
        Err(error) => (error.kind.code(), error.to_string()),
    }
}

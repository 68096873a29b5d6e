//! A template written by anybody and a document filled in by anybody: nothing panics, what was read is written the
//! same for good, and whatever comes out is valid.
#![no_main]

use deed_imprint::Imprint;
use deed_schema::{Schema, read_foreign};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::collections::BTreeMap;

/// Fills and lowers, and holds what comes out to what must be valid.
fn use_it(imprint: &Imprint, filled: &Value) {
    let supplied: BTreeMap<String, Value> = match filled.get("supplied").and_then(Value::as_object) {
        Some(map) => map.iter().map(|(pointer, value)| (pointer.clone(), value.clone())).collect(),
        None => BTreeMap::new(),
    };
    assert!(imprint.head().chars().count() <= 200 && !imprint.head().contains('\n'));
    for supplied in [&supplied, &BTreeMap::new()] {
        let lowered = imprint.lower(filled, supplied);
        match &lowered.payload {
            Some(payload) => {
                assert!(lowered.findings.is_empty());
                assert_eq!(imprint.schema().is_valid(payload), Ok(true));
                let again = imprint.fill(payload);
                let back = imprint.lower(&again.document, &again.supplied);
                // Numbers without a canonical form have no text to come back as.
                if deed_canon::canonical_string(payload).is_ok() {
                    assert_eq!(back.payload.as_ref(), Some(payload), "{:?}", back.findings);
                }
            }
            None => assert!(!lowered.findings.is_empty()),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // A template or a schema, and behind a form feed what was filled in.
    let (template, filled) = text.split_once('\u{c}').unwrap_or((&text, "{}"));
    let filled: Value = serde_json::from_str(filled).unwrap_or_else(|_| Value::String(filled.to_owned()));
    if let Ok(imprint) = Imprint::from_text(template) {
        let again = Imprint::from_text(&imprint.text()).expect("what was written can be read");
        assert_eq!(again.skeleton(), imprint.skeleton());
        use_it(&imprint, &filled);
    }
    if let Ok(document) = read_foreign(template)
        && let Ok(imprint) = Schema::new(document).and_then(Imprint::new)
    {
        use_it(&imprint, &filled);
    }
});

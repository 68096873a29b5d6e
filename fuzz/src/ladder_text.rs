//! Text as models write it: nothing panics, what is read is read strictly from the repaired text, and repairs of strict
//! JSON are none.
#![no_main]

use deed_ladder::{Reading, read, repaired_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match read(text) {
        Ok(Reading { value, repairs }) => {
            let repaired = repaired_text(text, &repairs);
            assert_eq!(deed_canon::parse(repaired.as_bytes()).expect("repaired text is strict"), value);
            if let Ok(strict) = deed_canon::parse(text.as_bytes()) {
                assert!(repairs.is_empty() && strict == value, "correct JSON is never altered");
            }
        }
        Err(unreadable) => assert!(unreadable.at <= text.len()),
    }
});

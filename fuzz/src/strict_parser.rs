//! The strict readers: no input panics, both readers agree, and what is accepted has one canonical form.
#![no_main]

use deed_canon::{parse, parse_tree, to_canonical};
use deed_diag::{Document, Format, Style};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let tree = parse_tree(data);
    match parse(data) {
        Ok(value) => {
            assert_eq!(tree.expect("both readers agree").to_value(), value);
            let canonical = to_canonical(&value).expect("what was read can be written");
            let again = parse(&canonical).expect("what was written can be read");
            assert_eq!(again, value);
            assert_eq!(to_canonical(&again).expect("writes again"), canonical);
        }
        Err(error) => assert_eq!(tree.expect_err("both readers agree"), error),
    }
    for (name, format) in [("f.json", Format::Json), ("f.yaml", Format::Yaml)] {
        match Document::read(name, data, format) {
            Ok(document) => {
                let canonical = to_canonical(document.value()).expect("what was read can be written");
                assert_eq!(&parse(&canonical).expect("reads"), document.value());
            }
            Err(report) => {
                report.render(Style::Plain);
                report.to_json();
            }
        }
    }
});

//! Formats that are asserted in every dialect.
//!
//! Older drafts do not list `uuid` or `duration`, yet schemas that declare such a draft use those names and mean
//! them. A format that no draft lists, such as `int32`, stays an annotation.

use crate::dialect::Dialect;
use deed_diag::Invariant;
use jsonschema::{Draft, ValidationOptions, Validator};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The formats that the newest draft lists and an older one may lack.
const NAMES: [&str; 17] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "relative-json-pointer",
    "time",
    "uri-reference",
    "uri-template",
    "uuid",
];

static CHECKS: LazyLock<Vec<(&'static str, Validator)>> = LazyLock::new(|| {
    let check = |name: &'static str| {
        let schema = json!({ "format": name });
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        (name, options.build(&schema).invariant("a schema of one format compiles"))
    };
    NAMES.into_iter().map(check).collect()
});

/// Asserts all formats, also those that the draft of the dialect does not list.
pub(crate) fn assert_all(mut options: ValidationOptions<'_>, dialect: Dialect) -> ValidationOptions<'_> {
    options = options.should_validate_formats(true);
    for (name, check) in CHECKS.iter() {
        if !options.is_known_format(dialect.draft(), name) {
            options = options.with_format(*name, |text: &str| check.is_valid(&Value::String(text.to_owned())));
        }
    }
    options
}

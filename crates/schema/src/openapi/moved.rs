//! The new location of a part of a description once its schemas are plain JSON Schema.

use super::{BASE, unescaped};
use std::collections::BTreeSet;

/// The steps from a schema that admits null to what it says of other values.
const INNER: &str = "/anyOf/1";

/// The schemas that were put into a union with null, by JSON pointer into the description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Moved(BTreeSet<String>);

impl Moved {
    /// Adds a schema that was put into a union.
    pub(super) fn add(&mut self, pointer: &str) {
        self.0.insert(pointer.to_owned());
    }

    /// The address in the plain description of an address in the description as it is written.
    pub(crate) fn address(&self, address: &str) -> String {
        let Some(fragment) = address.strip_prefix(BASE).and_then(|rest| rest.strip_prefix('#')) else {
            return address.to_owned();
        };
        if self.0.is_empty() || !fragment.starts_with('/') {
            return address.to_owned();
        }
        let mut out = format!("{BASE}#");
        let mut read = String::new();
        for segment in fragment.split('/').skip(1) {
            // A reference to the schema itself means null too; one into it means what stands within.
            if self.0.contains(&read) {
                out.push_str(INNER);
            }
            out.push('/');
            out.push_str(segment);
            read.push('/');
            read.push_str(&unescaped(segment));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Moved;

    #[test]
    fn steps_are_put_in_behind_each_schema_that_was_moved() {
        let mut moved = Moved::default();
        moved.add("/c/A b");
        moved.add("/c/A b/properties/x");
        let check = |address: &str, expected: &str| assert_eq!(moved.address(address), expected);
        check("deed:///api#/c/A%20b", "deed:///api#/c/A%20b");
        check("deed:///api#/c/A%20b/properties/x", "deed:///api#/c/A%20b/anyOf/1/properties/x");
        check("deed:///api#/c/A%20b/properties/x/items", "deed:///api#/c/A%20b/anyOf/1/properties/x/anyOf/1/items");
        check("deed:///api#/c/B/properties/x", "deed:///api#/c/B/properties/x");
        check("https://x.test/#/c/A%20b/properties/x", "https://x.test/#/c/A%20b/properties/x");
    }
}

//! The keywords under which a schema has subschemas.

/// Keywords whose value is a schema.
pub(crate) const ONE: [&str; 13] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
    "x-deed-serialized",
];

/// Keywords whose value is a list of schemas; `items` is one or a list.
pub(crate) const MANY: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/// Keywords whose value holds schemas by name, apart from definitions, which count where they are used.
pub(crate) const NAMED: [&str; 4] = ["properties", "patternProperties", "dependentSchemas", "dependencies"];

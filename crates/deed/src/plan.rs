//! Compiles plans to step contracts.
//!
//! ```
//! use deed::plan::{builtin, lower};
//! use deed::{Document, Format};
//!
//! let text = br#"
//! plan: note
//! mission: { objective: Write a note }
//! steps:
//!   - id: write
//!     label: Write the note
//!     objective: MUST write the note
//!     expected_outputs: [{ path: output/note.json }]
//!     artifact_contracts: { output/note.json: { format: json, kind_key: object.json } }
//!     code: { language: python, source: "open('output/note.json', 'w').write('{}')" }
//! "#;
//! let document = Document::read("plan.yaml", text, Format::Yaml).expect("the document is YAML");
//! let lowered = lower(&document, builtin().expect("the built-in catalogue is valid"));
//! let plan = lowered.compiled.unwrap_or_else(|| panic!("{:?}", lowered.report));
//! assert_eq!(plan.steps.len(), 1);
//! ```
//!
//! # Errors
//!
//! [`lower`] does not fail: a plan that does not compile has no `compiled` plan, and its report has every reason at its
//! place.

pub use deed_catalog::{Catalog, builtin};
pub use deed_plan::{Lowered, explain, lower};

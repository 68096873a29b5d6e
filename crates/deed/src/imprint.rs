//! Turns schemas into templates, and filled templates into payloads.
//!
//! ```
//! use deed::imprint::{Imprint, Schema, Supplied};
//! use serde_json::json;
//!
//! let schema = Schema::new(json!({
//!     "type": "object",
//!     "properties": { "priority": { "enum": ["low", "high"] }, "title": { "type": "string" } },
//!     "required": ["priority", "title"],
//! }))?;
//! let imprint = Imprint::new(schema)?;
//! assert!(imprint.text().contains("priority"));
//!
//! let payload = json!({ "priority": "high", "title": "printer on fire" });
//! let filled = imprint.fill(&payload);
//! let lowered = imprint.lower(&filled.document, &Supplied::default());
//! assert_eq!(lowered.payload, Some(payload));
//!
//! let wrong = imprint.lower(&json!({ "priority": "urgent", "title": "x" }), &Supplied::default());
//! assert!(wrong.payload.is_none() && !wrong.findings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`Schema::new`] and [`Imprint::new`] refuse a schema that is not valid or that no template can show;
//! [`Imprint::lower`] returns every fault of a filled template as a finding.

pub use deed_imprint::{Filled, Finding, Imprint, Lowered, Supplied};
pub use deed_schema::{Refused, Schema};

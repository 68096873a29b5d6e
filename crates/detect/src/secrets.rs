//! Secrets: text enters, the byte ranges of credentials leave.
//!
//! The stages are the keyword prefilter, the windows around keywords, the rule's pattern, entropy,
//! and the allow-lists.

mod allow;
mod compiled;
mod prefilter;
mod rule;
mod rules;
mod scanner;

pub use rule::Rule;
pub use rules::rules;
pub use scanner::SecretScanner;

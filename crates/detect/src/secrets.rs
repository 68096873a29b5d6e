//! Secrets: text enters, the byte ranges of credentials leave.
//!
//! The stages are the sieve, the windows around keywords, the rule's pattern, entropy, and the
//! allow-lists.

mod allow;
mod compiled;
mod guise;
mod lead;
mod prefilter;
mod rule;
mod rules;
mod run;
mod scanner;
mod sieve;

pub use rule::Rule;
pub use rules::rules;
pub use scanner::SecretScanner;

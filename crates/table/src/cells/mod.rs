//! The cells of a table that is text, found without copying anything: for the adapters, and for receipts, which have to
//! read a table just as the adapters do.

mod scan;
mod word;

pub use scan::{Fault, FaultKind, Form, Found, Scanner, Span};

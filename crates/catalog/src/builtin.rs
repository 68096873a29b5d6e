//! The catalogue inside the binary.

use crate::catalog::Catalog;
use crate::read::{CatalogFile, Origin, read};
use deed_diag::Report;
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The built-in catalogue, read when it is first asked for. A test lints it like any other.
pub fn builtin() -> Result<&'static Catalog, Report> {
    static CATALOG: OnceLock<Result<Catalog, Report>> = OnceLock::new();
    let read = || {
        let files: Vec<CatalogFile<'_>> =
            FILES.iter().map(|(name, text)| CatalogFile { name, bytes: text.as_bytes() }).collect();
        let (catalog, report) = read(&Catalog::empty(), &files, Origin::BuiltIn, |_| Vec::new());
        if report.has_errors() { Err(report) } else { Ok(catalog) }
    };
    CATALOG.get_or_init(read).as_ref().map_err(Clone::clone)
}

//! The catalogue inside the binary.

use crate::catalog::Catalog;
use crate::read::{CatalogFile, Origin, read};
use deed_diag::{Invariant, Report};
use flate2::read::ZlibDecoder;
use std::io::Read;
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// All files, one behind the other, compressed.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/files"));

/// The built-in catalogue, read when it is first asked for. A test lints it like any other.
pub fn builtin() -> Result<&'static Catalog, Report> {
    static CATALOG: OnceLock<Result<Catalog, Report>> = OnceLock::new();
    let read = || {
        let mut text = Vec::new();
        ZlibDecoder::new(PACKED).read_to_end(&mut text).invariant("the build script packed the catalogue");
        let mut rest = text.as_slice();
        let files: Vec<CatalogFile<'_>> = FILES
            .iter()
            .map(|(name, length)| {
                let (bytes, after) = rest.split_at_checked(*length).invariant("the table has the lengths of all files");
                rest = after;
                CatalogFile { name, bytes }
            })
            .collect();
        let (catalog, report) = read(&Catalog::empty(), &files, Origin::BuiltIn, |_| Vec::new());
        if report.has_errors() { Err(report) } else { Ok(catalog) }
    };
    CATALOG.get_or_init(read).as_ref().map_err(Clone::clone)
}

//! Gate 12, pins: the Context Pack is named with its exact version.

use super::GateInput;
use deed_diag::{Diagnostic, codes};
use deed_model::PackRef;

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let Some(text) = &input.profile.context_pack_ref else { return Vec::new() };
    let Err(error) = text.parse::<PackRef>() else { return Vec::new() };
    let finding = Diagnostic::error(codes::BAD_PACK_PIN, error.to_string())
        .at(input.file.place("/context_pack_ref"))
        .help("write an exact version, such as `ctxpack.support@1.0.0`");
    vec![finding]
}

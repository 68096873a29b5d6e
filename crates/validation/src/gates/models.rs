//! Gate 6, models: a run asks no model for proposals, so a rung that needs them does nothing.

use crate::document::PackFile;
use deed_diag::{Diagnostic, codes};
use deed_model::{LadderMode, Rung, ValidationPack};

pub(super) fn check(file: &PackFile, pack: &ValidationPack) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in pack.rules.iter().enumerate() {
        let Some(contract) = &rule.contract else { continue };
        let base = format!("/rules/{index}/contract");
        let of_phases = contract.phases.iter().map(|(phase, modes)| (format!("phases/{}", phase.as_str()), modes));
        for (place, modes) in std::iter::once(("modes".to_owned(), &contract.modes)).chain(of_phases) {
            if modes.get(&Rung::L6).is_some_and(|mode| *mode != LadderMode::Off) {
                let message = "`L6` waits for proposals of a model, and no model is asked for them in a run";
                let found = Diagnostic::warning(codes::RUNG_WITHOUT_MODEL, message);
                let help = "the rung finds nothing; remove its mode, or write `off`";
                findings.push(found.at(file.place(&format!("{base}/{place}/L6"))).help(help));
            }
        }
    }
    findings
}

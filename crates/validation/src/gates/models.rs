//! Gate 6, models: a run asks a model for proposals for JSON outputs of steps alone, so elsewhere a rung that needs them finds
//! nothing.

use crate::document::PackFile;
use deed_diag::{Diagnostic, codes};
use deed_model::{LadderMode, Phase, ReadAs, Rung, ValidationPack};

pub(super) fn check(file: &PackFile, pack: &ValidationPack) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in pack.rules.iter().enumerate() {
        let Some(contract) = &rule.contract else { continue };
        let base = format!("/rules/{index}/contract");
        let of_phases =
            contract.phases.iter().map(|(phase, modes)| (format!("phases/{}", phase.as_str()), modes, Some(*phase)));
        for (place, modes, phase) in std::iter::once(("modes".to_owned(), &contract.modes, None)).chain(of_phases) {
            let waits = modes.get(&Rung::L6).is_some_and(|mode| *mode != LadderMode::Off);
            let asked = match phase {
                Some(phase) => phase == Phase::StepOutput,
                None => pack.phases.iter().all(|phase| *phase == Phase::StepOutput),
            };
            if waits && !(asked && rule.read_as == ReadAs::Json) {
                let message =
                    "`L6` waits for proposals of a model, and a run asks for them for JSON outputs of steps alone";
                let found = Diagnostic::warning(codes::RUNG_WITHOUT_MODEL, message);
                let help = "elsewhere the rung finds nothing; state its mode under `phases.step_output` of a rule that reads JSON";
                findings.push(found.at(file.place(&format!("{base}/{place}/L6"))).help(help));
            }
        }
    }
    findings
}

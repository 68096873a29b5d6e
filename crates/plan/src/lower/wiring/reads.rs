//! Files that steps read by path: written by then, and of a meaning that the policy accepts.

use super::writes::{Writer, Writers};
use super::{Inputs, paths};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::output::{Offers, Source};
use crate::lower::snapshot::put_under;
use crate::path::WorkPath;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{PolicyRules, in_set};

/// The context of checking reads.
pub(super) struct Reads<'s> {
    pub(super) cx: Cx<'s>,
    pub(super) inputs: Inputs<'s>,
    pub(super) offers: Offers<'s>,
    pub(super) writers: &'s Writers,
}

impl Reads<'_> {
    /// The paths that a step reads by name, and the producers that say what their files are.
    pub(super) fn of_step(&self, step: Step<'_>, findings: &mut Findings<'_>) -> (Vec<String>, Vec<Source>) {
        let (mut reads, mut by_path) = (Vec::new(), Vec::new());
        for (position, text) in step.authored.input_file_paths.iter().enumerate() {
            let at = step.at().key("input_file_paths").item(position);
            let path = match WorkPath::read_any(text) {
                Ok(path) => path,
                Err(fault) => {
                    findings.add(paths::refuse(at, text, fault));
                    continue;
                }
            };
            match self.writer(step, &path, &at, findings) {
                Ok(_) if reads.contains(&path.text) => {
                    let message = format!("it reads {} twice", quote(&path.text));
                    let finding = Finding::warning(at, codes::DUPLICATE_INPUT, message);
                    findings.add(finding.help("remove one of them"));
                }
                Ok(writer) => {
                    by_path.extend(self.meaning(step, writer, &path.text, &at, findings));
                    reads.push(path.text);
                }
                Err(finding) => findings.add(finding),
            }
        }
        (reads, by_path)
    }

    /// The writer of a path that is read, which has to have run by then.
    fn writer(&self, step: Step<'_>, path: &WorkPath, at: &At, findings: &mut Findings<'_>) -> Result<Writer, Finding> {
        let text = quote(&path.text);
        let not_yet = |message: String| Finding::error(at.clone(), codes::FILE_NOT_YET_WRITTEN, message);
        let Some((writer, spelling)) = self.writers.get(path) else {
            let message = format!("no step writes {text}, and the mission is not given it");
            return Err(not_yet(message).help(self.suggest(path, findings)));
        };
        if spelling != path.text {
            let message = format!("{text} is written as {}", quote(spelling));
            let finding = Finding::error(at.clone(), codes::SPELLING_DIFFERS, message);
            return Err(finding.help(format!("write `{spelling}`")));
        }
        match writer.step() {
            Some(other) if other == step.index => Err(not_yet(format!("{text} is its own output"))),
            Some(other) if !self.inputs.candidate.comes_before(other, step.index) => {
                let name = self.cx.step(other).id();
                let message = format!("{text} is written by step {}, which need not have run by then", quote(name));
                Err(not_yet(message).help(format!("add `{name}` to `depends_on`")))
            }
            _ => Ok(writer),
        }
    }

    /// Help for a path that is not written: the set that it could be of, or the nearest path.
    fn suggest(&self, path: &WorkPath, findings: &mut Findings<'_>) -> String {
        let affordable = self.inputs.candidate.may_search(findings);
        let set = self.writers.iter().map(|(_, _, text)| text).find(|text| in_set(text, &path.text));
        if let Some(set) = set {
            return format!("read all of the set `{set}`: its names are known only once it is written");
        }
        let near = affordable.then(|| did_you_mean(&path.text, self.writers.iter().map(|(_, _, text)| text)));
        near.flatten().unwrap_or_else(|| "list it under `inputs` of the plan if it is given".to_owned())
    }

    /// The producer that says what a file is that is read by its path. A strict policy refuses a file of which no producer
    /// says its entity and kind; one that is generic is bound as by slot, only where generic data may be bound.
    fn meaning(
        &self,
        step: Step<'_>,
        writer: Writer,
        path: &str,
        at: &At,
        findings: &mut Findings<'_>,
    ) -> Option<Source> {
        let rules = self.inputs.snapshot.rules(step.index);
        let Some(source) = self.offers.at_path(writer.step(), path) else {
            // A producer that was refused is not reported a second time.
            let in_doubt = writer.step().is_none_or(|writer| self.inputs.outputs.of_step(writer).in_doubt);
            if !rules.bare_paths && !in_doubt {
                let message = format!("it reads {} by its path, and nothing says its entity and kind", quote(path));
                let help = "bind it by slot under `abstract_inputs`, or let its producer give it as an abstract output";
                findings.add(Finding::error(at.clone(), codes::BARE_PATH, message).help(help));
            }
            return None;
        };
        let entity = &self.offers.get(source).entity;
        if entity.is_generic() && !rules.allows_generic() {
            let message = format!(
                "it reads {} by its path, which is {}, and the policy does not let generic data be bound",
                quote(path),
                quote(entity.as_str())
            );
            let under = put_under(self.cx, step.index, PolicyRules::allows_generic);
            let help =
                format!("name the entity of the file where it is given, or {under} `generic.inference-allowed.v1`");
            findings.add(Finding::error(at.clone(), codes::GENERIC_DATA_NOT_BOUND, message).help(help));
            return None;
        }
        Some(source)
    }
}

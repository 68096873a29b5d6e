//! `deed valpack show`: a validation pack with its rules.

use crate::args::Global;
use crate::commands::history::told;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::objects::{self, HistoryEntry};
use deed_app::valpacks;
use deed_model::{ObjectRef, SchemaSource, ValidationPack, ValidationRule};
use deed_validation::PackOrigin;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Show a validation pack: its rules in the order in which they are tried, and its history.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed valpack show valpack.operator.json-schema@v1
  deed valpack show valpacks/orders.yaml --json")]
pub(crate) struct Show {
    /// Validation pack: a reference, or a file such as valpacks/orders.yaml.
    pack: String,
    /// Profile whose own packs can be named too.
    #[arg(long, value_name = "REF|FILE")]
    profile: Option<String>,
}

/// A validation pack.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownValidationPack {
    /// Its hash.
    content_hash: String,
    /// Its origin.
    origin: PackOrigin,
    /// Its state in the registry, such as `published`; null where it is not published.
    state: Option<String>,
    /// The reason of its deprecation or revocation.
    reason: Option<String>,
    /// Its events in the audit log, in order.
    history: Vec<HistoryEntry>,
    /// The pack.
    pack: ValidationPack,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let found = valpacks::pack(&session, &self.pack, self.profile.as_deref())?;
        let pack = &found.pack;
        let mut text = String::new();
        let _ = writeln!(text, "{} {}", pack.pack_ref, found.hash);
        if !pack.summary.is_empty() {
            let _ = writeln!(text, "  {}", pack.summary);
        }
        let phases: Vec<&str> = pack.phases.iter().map(|phase| phase.as_str()).collect();
        let _ = writeln!(text, "  phases {}; reads up to {} bytes", phases.join(", "), pack.largest_bytes);
        for rule in &pack.rules {
            let _ = writeln!(text, "  {:<22} {:<8} {}", rule.artifact_path, rule.read_as.as_str(), judges(rule));
        }
        let (endings, history) = objects::life(&session, &ObjectRef::validation_pack(&pack.pack_ref))?;
        history.iter().for_each(|entry| text.push_str(&told(entry)));
        let data = ShownValidationPack {
            content_hash: found.hash.to_string(),
            origin: found.origin,
            state: endings.as_ref().map(|endings| endings.state().to_string()),
            reason: endings.as_ref().and_then(|endings| endings.reason()).map(str::to_owned),
            history,
            pack: found.pack,
        };
        Ok(Success::new(data, text))
    }
}

/// What a rule judges by, in words.
fn judges(rule: &ValidationRule) -> String {
    let ladder = rule.contract.as_ref().map(|contract| match rule.schema_from {
        SchemaSource::Artifact => format!("ladder {} under the schema of the artifact", contract.contract),
        SchemaSource::Contract => format!("ladder {}", contract.contract),
    });
    let checks = rule.checks.iter().map(|check| check.as_str().to_owned());
    ladder.into_iter().chain(checks).collect::<Vec<_>>().join(", ")
}

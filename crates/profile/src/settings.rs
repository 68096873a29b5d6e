//! Settings as documents: governed for all runs, or those of a workspace.

use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Invariant as _, Report, codes, did_you_mean, quote};
use deed_model::{ModelConsumer, ModelSettings, schema_for};
use deed_schema::Shape;
use serde::Deserialize;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(schema_for::<ModelSettings>()));

/// The built-in defaults, in the form of settings.
static BUILT_IN: LazyLock<SettingsFile> = LazyLock::new(|| {
    let text = include_str!("shipped/defaults.yaml");
    SettingsFile::read("builtin:defaults.yaml", text.as_bytes()).ok().invariant("the built-in defaults are valid")
});

/// Settings that were read and have the shape of settings.
#[derive(Debug, Clone)]
pub struct SettingsFile {
    /// The document.
    pub document: Document,
    /// The typed settings.
    pub settings: ModelSettings,
}

impl SettingsFile {
    /// Reads settings, strictly: an unknown key could be a limit that would be missing.
    ///
    /// # Errors
    /// A report of everything that is not as the schema describes it.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Report> {
        let document = Document::read_with(name, bytes, Format::of_name(name), sensitive_ranges)?;
        let mut report = Report::default();
        report.add_source(document.source().clone());
        SHAPE.findings(&document).into_iter().for_each(|found| report.push(found.stage("settings")));
        match ModelSettings::deserialize(document.value()) {
            Ok(settings) => {
                unknown_consumers(&document, &settings).into_iter().for_each(|found| report.push(found));
                if report.has_errors() { Err(report) } else { Ok(Self { document, settings }) }
            }
            Err(error) => {
                if !report.has_errors() {
                    let message = format!("the document cannot be read as settings: {error}");
                    let found = Diagnostic::error(codes::SCHEMA_VIOLATION, message).stage("settings");
                    report.push(found.at(document.place("")));
                }
                Err(report)
            }
        }
    }

    /// Returns the built-in defaults.
    pub(crate) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Returns the name by which origins refer to it.
    pub(crate) fn name(&self) -> &str {
        self.document.source().name()
    }
}

fn unknown_consumers(document: &Document, settings: &ModelSettings) -> Vec<Diagnostic> {
    let unknown = settings.consumers.keys().filter(|key| key.parse::<ModelConsumer>().is_err());
    unknown
        .map(|key| {
            let known = ModelConsumer::ALL.into_iter().map(ModelConsumer::as_str);
            let help = did_you_mean(key, known);
            Diagnostic::error(codes::UNKNOWN_CONSUMER, format!("unknown consumer {}", quote(key)))
                .stage("settings")
                .at(document.key_place(&deed_canon::Pointer::push("/consumers", key)))
                .help(help.unwrap_or_else(|| "`deed profile explain` lists the consumers".to_owned()))
        })
        .collect()
}

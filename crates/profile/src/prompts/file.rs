//! Prompts as documents of their own: read, linted, published.

use crate::gates::prompt_text;
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Report, codes, quote};
use deed_model::{PromptBinding, PromptRef, schema_for};
use deed_pack::sensitive_parts;
use deed_schema::Shape;
use serde::Deserialize;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(schema_for::<PromptBinding>()));

/// A prompt that could be parsed. Whether it is a valid one is decided by [`PromptFile::lint`].
#[derive(Debug, Clone)]
pub struct PromptFile {
    /// The document. Secrets in it are concealed in everything that is shown of it.
    pub document: Document,
    typed: Option<PromptBinding>,
}

impl PromptFile {
    /// Parses a prompt.
    ///
    /// # Errors
    /// A report with the reason, if the bytes are not a document.
    ///
    /// ```
    /// use deed_profile::PromptFile;
    ///
    /// let text = "prompt_ref: acme.brief@v1\ntext: Summarise {{report}}.\nvariables: { report: {} }\n";
    /// let file = PromptFile::read("brief.yaml", text.as_bytes()).unwrap();
    /// assert!(!file.lint().has_errors());
    /// ```
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Report> {
        let document = Document::read_with(name, bytes, Format::of_name(name), sensitive_ranges)?;
        let typed = PromptBinding::deserialize(document.value()).ok();
        Ok(Self { document, typed })
    }

    /// Returns the typed prompt, if the document has the shape of one.
    pub fn prompt(&self) -> Option<&PromptBinding> {
        self.typed.as_ref()
    }

    /// Checks the prompt: its shape, secrets, its reference, and that its text uses the variables which it declares.
    pub fn lint(&self) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        let help = "remove it, treat it as leaked, and name a credential as `secret://name`";
        let secrets = sensitive_parts(&self.document, &[""], codes::SECRET_IN_PROFILE).into_iter();
        let mut found = SHAPE.findings(&self.document);
        found.extend(secrets.map(|found| found.help(help)));
        if let Some(prompt) = &self.typed {
            found.extend(self.reference(prompt));
            found.extend(prompt_text(&self.document, "", prompt));
        }
        found.into_iter().for_each(|found| report.push(found.stage("prompt")));
        report
    }

    /// The reference needs a version, and is free.
    fn reference(&self, prompt: &PromptBinding) -> Option<Diagnostic> {
        let help = "write `acme.operator.planner.system@v1`";
        let why = match prompt.prompt_ref.parse::<PromptRef>() {
            Err(error) => error.to_string(),
            Ok(reference) if reference.version.is_none() => {
                format!("the prompt {} has no version", quote(&prompt.prompt_ref))
            }
            Ok(_) => return None,
        };
        let place = self.document.place("/prompt_ref");
        Some(Diagnostic::error(codes::BAD_PROMPT_REF, why).at(place).help(help))
    }
}

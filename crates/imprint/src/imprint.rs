//! A schema and its template together.

use crate::build::build;
use crate::expected::FieldIndex;
use crate::fill::{Filled, fill};
use crate::grammar::{Rendered, TemplateError, parse, render};
use crate::lower::{Lowered, Supplied, lower};
use crate::meaning::meaning;
use crate::path::Path;
use crate::reach::Reach;
use crate::sections::{self, Sections};
use crate::template::{NodeId, Template, Unshown};
use deed_schema::{Refused, Schema};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A schema and the template made from it.
pub struct Imprint {
    pub(crate) schema: Schema,
    pub(crate) template: Template,
    pub(crate) reach: Reach,
    rendered: Rendered,
    serialized: Vec<String>,
    /// The fields of each object by name, made when first needed.
    pub(crate) fields: OnceLock<FieldIndex>,
    /// Schemas of the content of texts, made on first use.
    inner: Mutex<BTreeMap<NodeId, Result<Arc<Schema>, Refused>>>,
}

/// The refusal of a written template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FromTextError {
    /// It is not a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Its meaning is not a schema that can be used.
    #[error(transparent)]
    Refused(#[from] Refused),
}

impl Imprint {
    /// Makes the template of a schema.
    //
    // # Errors
    // If no value is valid under the schema, or a part of it cannot be read.
    pub fn new(schema: Schema) -> Result<Self, Refused> {
        let template = build(&schema)?;
        Ok(Self::of(schema, template))
    }

    /// Reads a template that was written by hand; its meaning is its schema.
    //
    // # Errors
    // If the text is not a template, or its meaning is not a schema that can be used.
    pub fn from_text(text: &str) -> Result<Self, FromTextError> {
        let template = parse(text)?;
        let schema = Schema::new(meaning(&template, template.root))?;
        Ok(Self::of(schema, template))
    }

    fn of(schema: Schema, mut template: Template) -> Self {
        let rendered = render(&template);
        template.unshown.extend(rendered.unshown.iter().cloned());
        let reach = Reach::new(&template);
        Self {
            schema,
            template,
            reach,
            rendered,
            serialized: Vec::new(),
            fields: OnceLock::new(),
            inner: Mutex::new(BTreeMap::new()),
        }
    }

    /// Sets the places that an API wants as JSON text although its schema does not declare it.
    pub fn serializing(mut self, pointers: Vec<String>) -> Self {
        self.serialized = pointers;
        // A text within another text is written first.
        self.serialized.sort_by_key(|pointer| std::cmp::Reverse(pointer.matches('/').count()));
        self
    }

    /// Returns true if the caller declared a place to be sent as text.
    pub(crate) fn wire_text(&self, path: &Path<'_>) -> bool {
        !self.serialized.is_empty() && self.serialized.contains(&path.pointer())
    }

    pub(crate) fn serialized(&self) -> &[String] {
        &self.serialized
    }

    /// The schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The line of instructions: at most 200 characters.
    pub fn head(&self) -> &str {
        &self.rendered.head
    }

    /// The document with a token at each leaf.
    pub fn skeleton(&self) -> &str {
        &self.rendered.skeleton
    }

    /// Head and skeleton, as a model is shown them.
    pub fn text(&self) -> String {
        format!("{}\n{}", self.rendered.head, self.rendered.skeleton)
    }

    /// The parts of the schema that the template does not show; they are enforced all the same.
    pub fn unshown(&self) -> &[Unshown] {
        &self.template.unshown
    }

    /// The meaning of the template, as a schema.
    pub fn shown(&self) -> Value {
        meaning(&self.template, self.template.root)
    }

    /// Fills the template with a payload.
    pub fn fill(&self, payload: &Value) -> Filled {
        fill(self, payload)
    }

    /// Lowers a filled template to a payload, or returns all findings.
    pub fn lower(&self, filled: &Value, supplied: &Supplied) -> Lowered {
        lower(self, filled, supplied)
    }

    /// The template in parts of at most so many tokens each, as far as it can be split.
    pub fn sections(&self, limit: usize, tokens: &dyn Fn(&str) -> usize) -> Sections {
        sections::split(self, limit, tokens)
    }

    /// The schema of the content of a text.
    pub(crate) fn inner_schema(&self, id: NodeId) -> Result<Arc<Schema>, Refused> {
        // An entry is whole once it is there, so a panic of another thread leaves nothing half done.
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.entry(id).or_insert_with(|| Schema::new(meaning(&self.template, id)).map(Arc::new)).clone()
    }
}

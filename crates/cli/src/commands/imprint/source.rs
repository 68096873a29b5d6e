//! The schema of a template, on the command line.

use clap::{Args, ValueEnum};
use deed_app::imprints::{SchemaSource, SourceForm};
use deed_schema::Part;
use std::path::PathBuf;

/// The schema of a template.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// JSON Schema or API description (JSON or YAML), or `contract:NAME` for one of deed's own.
    #[arg(value_name = "SCHEMA")]
    schema: PathBuf,
    /// Operation of the API description: its `operationId`, or `METHOD /path`.
    #[arg(long, value_name = "ID")]
    operation: Option<String>,
    /// Part of the request [default: request].
    #[arg(long, value_name = "PART")]
    part: Option<PartArg>,
    /// Read SCHEMA as a template that was written by hand.
    #[arg(long, conflicts_with_all = ["operation", "part"])]
    template: bool,
    /// Place (JSON pointer) that is sent as JSON text inside the payload; repeat for several.
    #[arg(long, value_name = "POINTER")]
    serialize: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartArg {
    /// Path, query, header, cookie and body.
    Request,
    /// The body alone.
    Body,
}

impl SchemaArgs {
    /// The source that the arguments describe.
    pub(super) fn source(&self) -> SchemaSource {
        SchemaSource {
            schema: self.schema.clone(),
            operation: self.operation.clone(),
            part: self.part.map(|part| match part {
                PartArg::Request => Part::Request,
                PartArg::Body => Part::Body,
            }),
            form: if self.template { SourceForm::Template } else { SourceForm::Schema },
            serialize: self.serialize.clone(),
        }
    }
}

//! `deed imprint template`: the template that a model is shown.

use super::source::SchemaArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::imprints::{self, counter};
use deed_imprint::{Section, Unshown};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Print the template of a schema, an API operation or a contract.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed imprint template ticket.schema.json
  deed imprint template api.yaml --operation createTicket --part body")]
pub(crate) struct Template {
    #[command(flatten)]
    schema: SchemaArgs,
    /// Print only the document, without the line of instructions.
    #[arg(long, conflicts_with = "limit")]
    skeleton: bool,
    /// Indent the document, for reading; a model needs no indentation.
    #[arg(long, conflicts_with = "limit")]
    pretty: bool,
    /// Split the template into a spine and sections of at most TOKENS tokens.
    #[arg(long, value_name = "TOKENS")]
    limit: Option<usize>,
}

/// A template; with `--limit` in parts.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum TemplateData {
    /// The whole template.
    Whole {
        /// The instructions; null with `--skeleton`.
        head: Option<String>,
        /// The document with its tokens.
        skeleton: String,
        /// The number of its tokens.
        tokens: Option<u64>,
        /// The dialect of the schema.
        dialect: String,
        /// Demands of the schema that the template does not show.
        unshown: Vec<Unshown>,
    },
    /// Its parts, with `--limit`.
    Parts {
        /// The spine, then the sections.
        parts: Vec<Section>,
        /// Demands of the schema that the template does not show.
        unshown: Vec<Unshown>,
    },
}

impl Template {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let imprint = imprints::template(&self.schema.source())?;
        if let Some(limit) = self.limit {
            let counter = counter()?;
            return Ok(self.sections(&imprint, limit, &|text| counter.count(text) as usize));
        }
        // The vocabulary is large, and read only where the number is printed.
        let tokens = if global.json { Some(counter()?.count(&imprint.text())) } else { None };
        let (head, skeleton) = (imprint.head(), imprint.skeleton());
        let shown = self.shown(skeleton);
        let text = if self.skeleton { format!("{shown}\n") } else { format!("{head}\n{shown}\n") };
        // What is left out or indented for people is so in both forms.
        let data = TemplateData::Whole {
            head: (!self.skeleton).then(|| head.to_owned()),
            skeleton: shown,
            tokens,
            dialect: imprint.schema().dialect().as_str().to_owned(),
            unshown: imprint.unshown().to_vec(),
        };
        let mut success = Success::new(data, text).exact();
        success.remark = unshown(imprint.unshown());
        Ok(success)
    }

    fn shown(&self, skeleton: &str) -> String {
        if !self.pretty {
            return skeleton.to_owned();
        }
        indented(skeleton)
    }

    fn sections(&self, imprint: &deed_imprint::Imprint, limit: usize, count: &dyn Fn(&str) -> usize) -> Success {
        let sections = imprint.sections(limit, count);
        let mut text = String::new();
        for part in &sections.parts {
            let name = if part.name.is_empty() { "spine" } else { part.name.as_str() };
            let over = if part.oversize { ", cannot be split further" } else { "" };
            let _ = writeln!(text, "# {name} ({} tokens{over})\n{}\n", part.tokens, part.text);
        }
        let data = TemplateData::Parts { parts: sections.parts, unshown: imprint.unshown().to_vec() };
        let mut success = Success::new(data, text).document();
        success.remark = unshown(imprint.unshown());
        success
    }
}

/// The places of read-only properties that a remark names.
const MOST_NAMED: usize = 8;

fn unshown(list: &[deed_imprint::Unshown]) -> Option<String> {
    let (read_only, other): (Vec<_>, Vec<_>) = list.iter().partition(|unshown| unshown.what == "readOnly");
    let mut names: Vec<&str> = other.iter().map(|unshown| unshown.what.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let enforced = (!names.is_empty()).then(|| format!("not shown, and enforced all the same: {}", names.join(", ")));
    let places: Vec<&str> = read_only.iter().take(MOST_NAMED).map(|unshown| unshown.at.as_str()).collect();
    let more = read_only.len().saturating_sub(places.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let left_out = (!places.is_empty()).then(|| format!("left out as read-only: {}{more}", places.join(", ")));
    let remarks: Vec<String> = enforced.into_iter().chain(left_out).collect();
    (!remarks.is_empty()).then(|| remarks.join("\n"))
}

/// The document with each member on a line of its own, in the order it is written.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for c in text.chars() {
        if in_text {
            out.push(c);
            in_text = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' => {
                in_text = true;
                out.push(c);
            }
            '{' | '[' => {
                depth += 1;
                out.push(c);
                line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c => out.push(c),
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

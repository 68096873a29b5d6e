//! Several producers that fit an input alike.

use super::View;
use crate::lower::cx::Input;
use crate::lower::findings::Finding;
use crate::lower::output::Source;
use deed_catalog::Fit;
use deed_diag::{codes, quote};
use std::collections::BTreeSet;

/// The most producers that are shown.
const MAX_SHOWN: usize = 5;

pub(super) fn ambiguous(view: View<'_, '_>, input: Input<'_>, several: &[(Source, Fit<'_>)]) -> Finding {
    let output = |source: &Source| view.offers().get(*source);
    let all = several.iter().map(|(source, _)| format!("{} ({})", view.cx.producer(*source), output(source).path));
    let all: Vec<String> = all.collect();
    let rank = several.first().map_or("", |(_, fit)| fit.rank.as_str());
    let slot = quote(&input.authored.slot);
    let message = format!("input {slot} could come from {}; all fit alike ({rank})", all.join(" or "));
    let producers: BTreeSet<String> = several.iter().map(|(source, _)| view.cx.producer(*source)).collect();
    let first = several.first().map(|(source, _)| source);
    let help = match producers.len() < several.len() {
        true => {
            let path = first.map_or("", |source| output(source).path.as_str());
            format!("say which file is meant, such as `path: {path}`")
        }
        false => {
            let from = first.and_then(|source| view.cx.producing_step(*source));
            format!("say which is meant, such as `from: {}`", from.as_deref().unwrap_or("mission"))
        }
    };
    let finding = Finding::error(input.at().key("slot"), codes::AMBIGUOUS_PRODUCER, message).help(help);
    let shown = several.iter().take(MAX_SHOWN);
    shown.fold(finding, |finding, (source, _)| finding.related(&output(source).at, "one is given here"))
}

//! The default prompts, which ship in the binary.

use deed_diag::{Document, Format, Invariant as _};
use deed_model::PromptBinding;
use serde::Deserialize;
use std::sync::LazyLock;

static SHIPPED: LazyLock<Vec<PromptBinding>> =
    LazyLock::new(|| TEXTS.iter().map(|(name, text)| read(name, text)).collect());

/// The files, in the order in which a run meets their consumers.
const TEXTS: [(&str, &str); 14] = [
    ("router", include_str!("defaults/router.yaml")),
    ("intent-normalizer", include_str!("defaults/intent-normalizer.yaml")),
    ("planner", include_str!("defaults/planner.yaml")),
    ("planner-repair", include_str!("defaults/planner-repair.yaml")),
    ("intent-resolver", include_str!("defaults/intent-resolver.yaml")),
    ("skill-resolver", include_str!("defaults/skill-resolver.yaml")),
    ("executor-sandbox-session", include_str!("defaults/executor-sandbox-session.yaml")),
    ("executor-tool-loop", include_str!("defaults/executor-tool-loop.yaml")),
    ("executor-edge-isolate", include_str!("defaults/executor-edge-isolate.yaml")),
    ("evaluator", include_str!("defaults/evaluator.yaml")),
    ("auditor", include_str!("defaults/auditor.yaml")),
    ("corrector", include_str!("defaults/corrector.yaml")),
    ("distiller", include_str!("defaults/distiller.yaml")),
    ("brief", include_str!("defaults/brief.yaml")),
];

fn read(name: &str, text: &str) -> PromptBinding {
    let document = Document::read(name, text.as_bytes(), Format::Yaml).ok().invariant("a shipped prompt is a document");
    PromptBinding::deserialize(document.value()).ok().invariant("a shipped document is a prompt")
}

/// Returns the default prompts, in the order in which a run meets their consumers.
pub fn shipped_prompts() -> &'static [PromptBinding] {
    SHIPPED.as_slice()
}

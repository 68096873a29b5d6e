//! `deed pack new`: packs to begin with, which pass lint as they are written.

use deed_model::{PackRef, RefError};

/// The names in a new pack.
#[derive(Debug, Clone)]
pub struct ScaffoldOptions {
    /// The pack's id.
    pub pack_id: String,
    /// The tenant that owns the pack; also its issuer.
    pub tenant_id: String,
    /// The time of writing, in RFC 3339.
    pub created_at: String,
    /// The extent of the scaffold.
    pub size: ScaffoldSize,
}

/// The extent of the scaffold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScaffoldSize {
    /// A read tool, a governed write tool, rules, an approval gate and an overlay.
    #[default]
    Full,
    /// One decision, no tools and no rules: the least that every layer needs.
    Minimal,
}

/// A file of a new pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaffoldFile {
    /// Path below the pack's folder.
    pub path: &'static str,
    /// Content.
    pub text: String,
}

const PACK: &str = include_str!("scaffold/pack.yaml");
const STAGING: &str = include_str!("scaffold/staging.yaml");
const REQUEST: &str = include_str!("scaffold/request.yaml");
const GOLDEN: &str = include_str!("scaffold/golden.yaml");
const MINIMAL: &str = include_str!("scaffold/minimal.yaml");
const MINIMAL_REQUEST: &str = include_str!("scaffold/minimal-request.yaml");
const MINIMAL_GOLDEN: &str = include_str!("scaffold/minimal-golden.yaml");
const RUN: &str = include_str!("scaffold/run.yaml");

/// Returns the files of a new pack, with a request and a run that a context can be compiled from.
///
/// # Errors
/// If the id is not a valid pack id.
///
/// ```
/// use deed_pack::{ScaffoldOptions, ScaffoldSize, scaffold};
///
/// let options = ScaffoldOptions {
///     pack_id: "acme.support".to_owned(),
///     tenant_id: "acme".to_owned(),
///     created_at: "2026-05-01T00:00:00Z".to_owned(),
///     size: ScaffoldSize::Minimal,
/// };
/// assert!(scaffold(&options).unwrap().iter().any(|file| file.path == "pack.yaml"));
/// ```
pub fn scaffold(options: &ScaffoldOptions) -> Result<Vec<ScaffoldFile>, RefError> {
    PackRef::of(&options.pack_id, "0.1.0")?;
    let domain = options.pack_id.rsplit('.').next().unwrap_or(&options.pack_id).replace('-', "_");
    let fill = |template: &str| {
        template
            .replace("{pack_id}", &options.pack_id)
            .replace("{tenant_id}", &options.tenant_id)
            .replace("{created_at}", &options.created_at)
            .replace("{domain}", &domain)
            .replace("{DOMAIN}", &domain.to_uppercase())
    };
    let templates: &[(&'static str, &str)] = match options.size {
        ScaffoldSize::Full => &[
            ("pack.yaml", PACK),
            ("overlays/staging.yaml", STAGING),
            ("golden/01_small_change.yaml", GOLDEN),
            ("examples/request.yaml", REQUEST),
            ("examples/run.yaml", RUN),
        ],
        ScaffoldSize::Minimal => &[
            ("pack.yaml", MINIMAL),
            ("golden/01_answer.yaml", MINIMAL_GOLDEN),
            ("examples/request.yaml", MINIMAL_REQUEST),
            ("examples/run.yaml", RUN),
        ],
    };
    Ok(templates.iter().map(|(path, text)| ScaffoldFile { path, text: fill(text) }).collect())
}

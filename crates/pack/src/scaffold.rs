//! `deed pack new`: the smallest pack that is worth having, and that passes lint as it stands.

use deed_model::{PackRef, RefError};

/// What a new pack is called.
#[derive(Debug, Clone)]
pub struct ScaffoldOptions {
    /// The pack's id.
    pub pack_id: String,
    /// Whose pack it is; also its issuer.
    pub tenant_id: String,
    /// When it was written, as an RFC 3339 time.
    pub created_at: String,
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

/// The files of a new pack: one read tool, one governed write tool, one decision, one target, one overlay.
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
    Ok(vec![
        ScaffoldFile { path: "pack.yaml", text: fill(PACK) },
        ScaffoldFile { path: "overlays/staging.yaml", text: fill(STAGING) },
    ])
}

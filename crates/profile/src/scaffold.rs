//! `deed profile new`: a profile to begin with, which passes lint as it is written.

use deed_model::{ProfileRef, RefError};

/// Returns the text of a new profile. `file` is the name by which its comments refer to it.
///
/// # Errors
/// The id is not one of a profile.
///
/// ```
/// use deed_profile::{ProfileFacts, ProfileFile, lint, scaffold};
///
/// let text = scaffold("team-default", "acme", "team-default.profile.yaml").unwrap();
/// let file = ProfileFile::read("team-default.profile.yaml", text.as_bytes()).unwrap();
/// assert!(lint(&file, &ProfileFacts::default()).passed());
/// ```
pub fn scaffold(profile_id: &str, issuer: &str, file: &str) -> Result<String, RefError> {
    ProfileRef::of(profile_id, "0.1.0")?;
    let text = include_str!("scaffold.yaml");
    Ok(text.replace("{profile_id}", profile_id).replace("{issuer}", issuer).replace("{file}", file))
}

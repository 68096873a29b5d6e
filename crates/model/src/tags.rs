//! Type tags and predicate types, listed once.

use deed_canon::TypeTag;

/// A context pack, as authored.
pub const CONTEXT_PACK_TAG: TypeTag = TypeTag::literal("deed/context-pack/v2");
/// An overlay, as authored.
pub const OVERLAY_TAG: TypeTag = TypeTag::literal("deed/context-overlay/v1");
/// A pack after its overlays were applied.
pub const RESOLVED_PACK_TAG: TypeTag = TypeTag::literal("deed/resolved-pack/v1");
/// An event of the registry's audit log.
pub const AUDIT_EVENT_TAG: TypeTag = TypeTag::literal("deed/audit-event/v1");
/// Predicate type of an issuer's signature over a pack.
pub const PACK_SIGNATURE_PREDICATE: &str = "urn:deed:predicate:pack-signature:v1";
/// Predicate type of a reviewer's sign-off.
pub const PACK_REVIEW_PREDICATE: &str = "urn:deed:predicate:pack-review:v1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_has_the_form_of_a_tag() {
        for tag in [CONTEXT_PACK_TAG, OVERLAY_TAG, RESOLVED_PACK_TAG, AUDIT_EVENT_TAG] {
            assert_eq!(tag.as_str().parse(), Ok(tag));
        }
    }
}

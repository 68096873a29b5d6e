//! Under which subjects an event can be found.

use deed_model::RegistryEvent;

/// The event's own subjects, and `version:<pack_ref>` for what happened to the version itself. A version
/// that was pinned a thousand times has a thousand events; its state is in the few that are not pins, and a
/// load reads only those.
pub(crate) fn subjects(event: &RegistryEvent) -> Vec<String> {
    let mut subjects = event.subjects();
    match event {
        RegistryEvent::PackLinted { pack_ref, .. }
        | RegistryEvent::PackReviewed { pack_ref, .. }
        | RegistryEvent::PackSigned { pack_ref, .. }
        | RegistryEvent::PackPublished { pack_ref, .. }
        | RegistryEvent::PackDeprecated { pack_ref, .. }
        | RegistryEvent::PackRevoked { pack_ref, .. } => subjects.push(format!("version:{pack_ref}")),
        RegistryEvent::KeyTrusted { .. } | RegistryEvent::KeyRevoked { .. } | RegistryEvent::PackPinned { .. } => {}
    }
    subjects
}

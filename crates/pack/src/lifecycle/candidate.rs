//! A pack version as documents: what is reviewed, signed and published.
//!
//! Enters: the pack's document and its overlays as values. Leaves: canonical bytes, typed and plain hashes,
//! and the few facts that the lifecycle asks of a pack. It proves that the overlays are the declared ones.

use deed_canon::{ContentHash, TypeTag, parse, to_canonical};
use deed_diag::{Code, Diagnostic, Place};
use deed_model::{
    CONTEXT_PACK_TAG, ContextPack, OVERLAY_TAG, Overlay, OverlayRecord, OverlayRef, PackRef, ReviewRole, SignedOverlay,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

const NOT_A_PACK: Code = Code::new("D1212");
const OVERLAYS_DIFFER: Code = Code::new("D1213");

/// A pack version with its overlays in order of application, hashed.
#[derive(Debug, Clone)]
pub struct Candidate {
    pack_ref: PackRef,
    pack: ContextPack,
    file: Hashed,
    overlays: Vec<CandidateOverlay>,
}

/// An overlay of a [`Candidate`].
#[derive(Debug, Clone)]
pub struct CandidateOverlay {
    overlay: Overlay,
    file: Hashed,
}

/// A document with its canonical bytes and both hashes.
#[derive(Debug, Clone)]
struct Hashed {
    value: Value,
    bytes: Vec<u8>,
    typed: ContentHash,
    plain: ContentHash,
}

impl Candidate {
    /// Takes a pack and its overlays; the overlays may come in any order and must be the declared ones.
    pub fn new(document: &Value, overlays: &[Value]) -> Result<Self, Vec<Diagnostic>> {
        let file = Hashed::new(document, &CONTEXT_PACK_TAG, "pack")?;
        let overlays = overlays.iter().map(|value| Hashed::new(value, &OVERLAY_TAG, "overlay"));
        Self::of(file, overlays.collect::<Result<Vec<_>, _>>()?)
    }

    /// Reads a pack and its overlays from bytes that must be in canonical form, as a registry stores them.
    pub fn from_canonical(document: Vec<u8>, overlays: Vec<Vec<u8>>) -> Result<Self, Vec<Diagnostic>> {
        let file = Hashed::read(document, &CONTEXT_PACK_TAG, "pack")?;
        let overlays = overlays.into_iter().map(|bytes| Hashed::read(bytes, &OVERLAY_TAG, "overlay"));
        Self::of(file, overlays.collect::<Result<Vec<_>, _>>()?)
    }

    fn of(file: Hashed, overlays: Vec<Hashed>) -> Result<Self, Vec<Diagnostic>> {
        let pack: ContextPack = typed(&file.value, "pack")?;
        let pack_ref = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version)
            .map_err(|e| vec![not_a_pack("pack", e.to_string())])?;
        let given = overlays
            .into_iter()
            .map(|file| Ok(CandidateOverlay { overlay: typed(&file.value, "overlay")?, file }))
            .collect::<Result<Vec<_>, Vec<Diagnostic>>>()?;
        let overlays = declared(&pack_ref, &pack.pack_meta.overlays, given)?;
        Ok(Self { pack_ref, pack, file, overlays })
    }

    /// The pack's reference.
    pub fn pack_ref(&self) -> &PackRef {
        &self.pack_ref
    }

    /// The typed pack, before its overlays are applied.
    pub fn pack(&self) -> &ContextPack {
        &self.pack
    }

    /// The pack's document.
    pub fn document(&self) -> &Value {
        &self.file.value
    }

    /// The document's canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Typed hash of the document.
    pub fn content_hash(&self) -> ContentHash {
        self.file.typed
    }

    /// Plain SHA-256 of the canonical bytes, the blob's name.
    pub fn sha256(&self) -> ContentHash {
        self.file.plain
    }

    /// The overlays in order of application.
    pub fn overlays(&self) -> &[CandidateOverlay] {
        &self.overlays
    }

    /// Who publishes the pack.
    pub fn issuer(&self) -> &str {
        &self.pack.contract_meta.issuer
    }

    /// Whose pack it is.
    pub fn tenant_id(&self) -> &str {
        &self.pack.pack_meta.tenant.tenant_id
    }

    /// True where other tenants may pin it.
    pub fn shared(&self) -> bool {
        self.pack.pack_meta.shared
    }

    /// The roles whose sign-off the pack's policy asks for.
    pub fn required_reviews(&self) -> Vec<ReviewRole> {
        self.pack.policy_layer.required_reviews()
    }

    /// The overlays as a signature names them.
    pub fn signed_overlays(&self) -> Vec<SignedOverlay> {
        self.overlays
            .iter()
            .map(|o| SignedOverlay { overlay_ref: o.overlay_ref().clone(), content_hash: o.content_hash() })
            .collect()
    }

    /// The overlays as a publication records them.
    pub fn overlay_records(&self) -> Vec<OverlayRecord> {
        self.overlays
            .iter()
            .map(|o| OverlayRecord {
                overlay_ref: o.overlay_ref().clone(),
                content_hash: o.content_hash(),
                document: o.sha256(),
            })
            .collect()
    }

    pub(super) fn place(&self) -> Place {
        Place::file(format!("pack:{}", self.pack_ref))
    }
}

impl CandidateOverlay {
    /// Which overlay.
    pub fn overlay_ref(&self) -> &OverlayRef {
        &self.overlay.overlay_ref
    }

    /// The typed overlay.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The overlay's document.
    pub fn document(&self) -> &Value {
        &self.file.value
    }

    /// The document's canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Typed hash of the document.
    pub fn content_hash(&self) -> ContentHash {
        self.file.typed
    }

    /// Plain SHA-256 of the canonical bytes.
    pub fn sha256(&self) -> ContentHash {
        self.file.plain
    }
}

impl Hashed {
    fn new(value: &Value, tag: &TypeTag, what: &str) -> Result<Self, Vec<Diagnostic>> {
        let bytes = to_canonical(value).map_err(|e| vec![not_a_pack(what, e.to_string())])?;
        Ok(Self::of(value.clone(), bytes, tag))
    }

    fn read(bytes: Vec<u8>, tag: &TypeTag, what: &str) -> Result<Self, Vec<Diagnostic>> {
        let refuse = |why: String| vec![not_a_pack(what, why)];
        let value = parse(&bytes).map_err(|e| refuse(e.to_string()))?;
        match to_canonical(&value) {
            Ok(written) if written == bytes => Ok(Self::of(value, bytes, tag)),
            Ok(_) => Err(refuse("the stored bytes are not in canonical form".to_owned())),
            Err(e) => Err(refuse(e.to_string())),
        }
    }

    /// The typed hash is taken over the canonical bytes that are at hand, rather than writing them again.
    fn of(value: Value, bytes: Vec<u8>, tag: &TypeTag) -> Self {
        let mut tagged = format!("{tag}\n").into_bytes();
        tagged.extend_from_slice(&bytes);
        let (typed, plain) = (ContentHash::of_bytes(&tagged), ContentHash::of_bytes(&bytes));
        Self { value, bytes, typed, plain }
    }
}

/// Puts the overlays into the order of their declaration; both lists must hold the same references.
fn declared(
    pack_ref: &PackRef,
    declared: &[String],
    mut given: Vec<CandidateOverlay>,
) -> Result<Vec<CandidateOverlay>, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut ordered = Vec::new();
    for name in declared {
        match given.iter().position(|o| o.overlay_ref().to_string() == *name) {
            Some(at) => ordered.push(given.remove(at)),
            None => faults.push(
                overlays_differ(pack_ref, format!("the overlay `{name}` is declared and was not supplied"))
                    .help("supply the overlay's document, or take it out of `pack_meta.overlays`"),
            ),
        }
    }
    for extra in given {
        let message = format!("the overlay `{}` is not declared by the pack", extra.overlay_ref());
        faults.push(overlays_differ(pack_ref, message).help("declare it in `pack_meta.overlays`, or leave it out"));
    }
    for overlay in ordered.iter().filter(|o| o.overlay.base != *pack_ref) {
        let (name, base) = (overlay.overlay_ref(), &overlay.overlay.base);
        let message = format!("the overlay `{name}` was made for `{base}`, not for `{pack_ref}`");
        faults.push(overlays_differ(pack_ref, message).help("set the overlay's `base` to this version and review it"));
    }
    if faults.is_empty() { Ok(ordered) } else { Err(faults) }
}

fn typed<T: DeserializeOwned>(value: &Value, what: &str) -> Result<T, Vec<Diagnostic>> {
    T::deserialize(value).map_err(|e| vec![not_a_pack(what, e.to_string())])
}

fn not_a_pack(what: &str, why: String) -> Diagnostic {
    Diagnostic::error(NOT_A_PACK, format!("the {what} document cannot be published: {why}"))
        .stage("candidate")
        .at(Place::file(what))
        .help("run `deed pack lint` on the folder: it names every fault with its place")
}

fn overlays_differ(pack_ref: &PackRef, message: String) -> Diagnostic {
    Diagnostic::error(OVERLAYS_DIFFER, message).stage("candidate").at(Place {
        source: format!("pack:{pack_ref}"),
        pointer: Some("/pack_meta/overlays".to_owned()),
        span: None,
    })
}

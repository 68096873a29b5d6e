//! A pack version as documents: the subject of review, signature and publication.
//!
//! Enters: the pack's document, its overlays and its golden cases as values. Leaves: canonical bytes, typed and plain hashes, and the
//! facts that the lifecycle needs. It proves that the overlays are the declared ones.

use deed_canon::{ContentHash, TypeTag, parse, to_canonical};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{
    CONTEXT_PACK_TAG, ContextPack, GOLDEN_CASE_TAG, GoldenRecord, OVERLAY_TAG, Overlay, OverlayRecord, OverlayRef,
    PackRef, ReviewRole, SignedGolden, SignedOverlay,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A pack version with its overlays in order of application, hashed.
#[derive(Debug, Clone)]
pub struct Candidate {
    pack_ref: PackRef,
    pack: ContextPack,
    file: Hashed,
    overlays: Vec<CandidateOverlay>,
    golden: Vec<CandidateGolden>,
}

/// A golden case of a [`Candidate`].
#[derive(Debug, Clone)]
pub struct CandidateGolden {
    name: String,
    file: Hashed,
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
    /// Creates a candidate from a pack and its overlays, which may come in any order and must be the declared ones.
    ///
    /// # Errors
    /// If a document is not a pack or an overlay, or the overlays are not the declared ones.
    pub fn new(document: &Value, overlays: &[Value]) -> Result<Self, Vec<Diagnostic>> {
        let file = Hashed::new(document, &CONTEXT_PACK_TAG, "pack")?;
        let overlays = overlays.iter().map(|value| Hashed::new(value, &OVERLAY_TAG, "overlay"));
        Self::of(file, overlays.collect::<Result<Vec<_>, _>>()?)
    }

    /// Creates a candidate from bytes in canonical form, as a registry stores them.
    ///
    /// # Errors
    /// As for values, and if the bytes are not in canonical form.
    pub fn from_canonical(document: Vec<u8>, overlays: Vec<Vec<u8>>) -> Result<Self, Vec<Diagnostic>> {
        let file = Hashed::read(document, &CONTEXT_PACK_TAG, "pack")?;
        let overlays = overlays.into_iter().map(|bytes| Hashed::read(bytes, &OVERLAY_TAG, "overlay"));
        Self::of(file, overlays.collect::<Result<Vec<_>, _>>()?)
    }

    /// Adds the golden cases, by name. They may come in any order.
    ///
    /// # Errors
    /// If a case has no canonical form, or two have one name.
    pub fn with_golden(self, golden: &[(String, Value)]) -> Result<Self, Vec<Diagnostic>> {
        let files = golden.iter().map(|(name, value)| {
            let file = Hashed::new(value, &GOLDEN_CASE_TAG, "golden case")?;
            Ok(CandidateGolden { name: name.clone(), file })
        });
        self.including(files.collect::<Result<Vec<_>, Vec<Diagnostic>>>()?)
    }

    /// Adds golden cases in canonical form, as a registry stores them.
    ///
    /// # Errors
    /// As for values, and if the bytes are not in canonical form.
    pub fn with_canonical_golden(self, golden: Vec<(String, Vec<u8>)>) -> Result<Self, Vec<Diagnostic>> {
        let files = golden.into_iter().map(|(name, bytes)| {
            Ok(CandidateGolden { name, file: Hashed::read(bytes, &GOLDEN_CASE_TAG, "golden case")? })
        });
        self.including(files.collect::<Result<Vec<_>, Vec<Diagnostic>>>()?)
    }

    fn including(mut self, mut golden: Vec<CandidateGolden>) -> Result<Self, Vec<Diagnostic>> {
        golden.sort_by(|a, b| a.name.cmp(&b.name));
        let twice = golden.windows(2).find_map(|pair| match pair {
            [one, other] if one.name == other.name => Some(one.name.clone()),
            _ => None,
        });
        if let Some(name) = twice {
            return Err(vec![not_a_pack("golden case", format!("two golden cases are named `{name}`"))]);
        }
        self.golden = golden;
        Ok(self)
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
        Ok(Self { pack_ref, pack, file, overlays, golden: Vec::new() })
    }

    /// Returns the pack's reference.
    pub fn pack_ref(&self) -> &PackRef {
        &self.pack_ref
    }

    /// Returns the typed pack, before its overlays are applied.
    pub fn pack(&self) -> &ContextPack {
        &self.pack
    }

    /// Returns the pack's document.
    pub fn document(&self) -> &Value {
        &self.file.value
    }

    /// Returns the document's canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Returns the typed hash of the document.
    pub fn content_hash(&self) -> ContentHash {
        self.file.typed
    }

    /// Returns the plain SHA-256 of the canonical bytes, the blob's name.
    pub fn sha256(&self) -> ContentHash {
        self.file.plain
    }

    /// Returns the overlays in order of application.
    pub fn overlays(&self) -> &[CandidateOverlay] {
        &self.overlays
    }

    /// Returns the golden cases, by name.
    pub fn golden(&self) -> &[CandidateGolden] {
        &self.golden
    }

    /// Returns the issuer.
    pub fn issuer(&self) -> &str {
        &self.pack.contract_meta.issuer
    }

    /// Returns the tenant that owns the pack.
    pub fn tenant_id(&self) -> &str {
        &self.pack.pack_meta.tenant.tenant_id
    }

    /// Returns true if other tenants may pin it.
    pub fn shared(&self) -> bool {
        self.pack.pack_meta.shared
    }

    /// Returns the roles whose sign-off the pack's policy requires.
    pub fn required_reviews(&self) -> Vec<ReviewRole> {
        self.pack.policy_layer.required_reviews()
    }

    /// Returns the overlays as a signature lists them.
    pub fn signed_overlays(&self) -> Vec<SignedOverlay> {
        self.overlays
            .iter()
            .map(|o| SignedOverlay { overlay_ref: o.overlay_ref().clone(), content_hash: o.content_hash() })
            .collect()
    }

    /// Returns the overlays as a publication records them.
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

    /// Returns the golden cases as a signature lists them.
    pub fn signed_golden(&self) -> Vec<SignedGolden> {
        let signed = |g: &CandidateGolden| SignedGolden { name: g.name.clone(), content_hash: g.file.typed };
        self.golden.iter().map(signed).collect()
    }

    /// Returns the golden cases as a publication records them.
    pub fn golden_records(&self) -> Vec<GoldenRecord> {
        let record = |g: &CandidateGolden| GoldenRecord {
            name: g.name.clone(),
            content_hash: g.file.typed,
            document: g.file.plain,
        };
        self.golden.iter().map(record).collect()
    }

    pub(super) fn place(&self) -> Place {
        Place::file(format!("pack:{}", self.pack_ref))
    }
}

impl CandidateGolden {
    /// Returns the case's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the case's document.
    pub fn document(&self) -> &Value {
        &self.file.value
    }

    /// Returns the document's canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Returns the plain SHA-256 of the canonical bytes.
    pub fn sha256(&self) -> ContentHash {
        self.file.plain
    }
}

impl CandidateOverlay {
    /// Returns the overlay's reference.
    pub fn overlay_ref(&self) -> &OverlayRef {
        &self.overlay.overlay_ref
    }

    /// Returns the typed overlay.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// Returns the overlay's document.
    pub fn document(&self) -> &Value {
        &self.file.value
    }

    /// Returns the document's canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Returns the typed hash of the document.
    pub fn content_hash(&self) -> ContentHash {
        self.file.typed
    }

    /// Returns the plain SHA-256 of the canonical bytes.
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

    /// Computes the typed hash from the canonical bytes at hand, instead of serializing again.
    fn of(value: Value, bytes: Vec<u8>, tag: &TypeTag) -> Self {
        let mut tagged = format!("{tag}\n").into_bytes();
        tagged.extend_from_slice(&bytes);
        let (typed, plain) = (ContentHash::of_bytes(&tagged), ContentHash::of_bytes(&bytes));
        Self { value, bytes, typed, plain }
    }
}

/// Sorts the overlays into the order of their declaration; both lists must hold the same references.
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
                    .help("supply the overlay's document, or remove it from `pack_meta.overlays`"),
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
    Diagnostic::error(codes::DOCUMENT_NOT_PUBLISHABLE, format!("the {what} document cannot be published: {why}"))
        .stage("candidate")
        .at(Place::file(what))
        .help("run `deed pack lint` on the folder: it names every fault with its place")
}

fn overlays_differ(pack_ref: &PackRef, message: String) -> Diagnostic {
    Diagnostic::error(codes::OVERLAYS_DIFFER, message).stage("candidate").at(Place {
        source: format!("pack:{pack_ref}"),
        pointer: Some("/pack_meta/overlays".to_owned()),
        span: None,
    })
}

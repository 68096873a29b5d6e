//! Published versions in a plain folder that is laid out as an OCI image layout: `oci-layout`, `index.json` and
//! `blobs/sha256/…`. Any tool that copies such layouts to and from OCI registries can carry it.

use super::exchange::{
    CopyRequest, Envelopes, ImportOutcome, assembled, export_of, import_all, not_an_export, published,
};
use crate::error::{AppError, ErrorKind};
use crate::files::{self, Access, Existing};
use crate::registry::known_ref;
use crate::session::Session;
use deed_canon::{ContentHash, Envelope, parse, to_canonical};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{PackExport, PackRef};
use deed_pack::{PackState, PinnedUse, Purpose};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const EMPTY: &str = "application/vnd.oci.empty.v1+json";
const ARTIFACT: &str = "application/vnd.deed.pack.v1";
const PACK: &str = "application/vnd.deed.context-pack.v2+json";
const OVERLAY: &str = "application/vnd.deed.context-overlay.v1+json";
const GOLDEN: &str = "application/vnd.deed.golden-case.v1+json";
const REVIEW: &str = "application/vnd.deed.pack-review.v1+dsse";
const SIGNATURE: &str = "application/vnd.deed.pack-signature.v1+dsse";
const ENDING: &str = "application/vnd.deed.pack-ending.v1+dsse";
const TITLE: &str = "org.opencontainers.image.title";
const NAME: &str = "org.opencontainers.image.ref.name";

/// A reference to a blob.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Descriptor {
    #[serde(rename = "mediaType")]
    media_type: String,
    digest: ContentHash,
    size: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
}

impl Descriptor {
    fn is_named(&self, name: &str) -> bool {
        self.annotations.get(NAME).is_some_and(|own| own == name)
    }
}

#[derive(Debug, Deserialize)]
struct Index {
    manifests: Vec<Descriptor>,
}

#[derive(Debug, Deserialize)]
struct Manifest {
    #[serde(rename = "artifactType")]
    artifact_type: Option<String>,
    layers: Vec<Descriptor>,
}

/// The versions to write into a layout.
#[derive(Debug, Clone, Default)]
pub struct PushRequest {
    /// The versions; without any all that are published, and of those that are revoked the ones that the layout has.
    pub references: Vec<String>,
    /// The handling of copies.
    pub copy: CopyRequest,
}

/// A version that was to be written into a layout.
#[derive(Debug)]
pub struct PushOutcome {
    /// The version.
    pub pack_ref: PackRef,
    /// Nothing, or the refusal of it.
    pub result: Result<(), AppError>,
}

/// Writes published versions into a layout, besides those that it has. A version that is refused does not stop the others.
///
/// A push holds the lock of the layout from reading its index to replacing it, so that no other push is lost.
///
/// # Errors
/// A reference is malformed, or the folder cannot be written.
pub fn push(session: &Session, folder: &Path, request: &PushRequest) -> Result<Vec<PushOutcome>, AppError> {
    let (home, registry) = session.registry()?;
    let named = request.references.iter().map(|text| known_ref(session, text)).collect::<Result<BTreeSet<_>, _>>()?;
    let _held = hold(folder)?;
    files::sweep(folder);
    files::sweep(&folder.join("blobs").join("sha256"));
    let path = folder.join("index.json");
    let mut manifests = if path.exists() { index(folder)?.manifests } else { Vec::new() };
    let wanted: BTreeSet<PackRef> = match named.is_empty() {
        true => {
            let has = |reference: &PackRef| manifests.iter().any(|entry| entry.is_named(&reference.to_string()));
            let all = published(&registry)?.into_iter();
            all.filter(|(reference, state)| *state != PackState::Revoked || has(reference))
                .map(|(own, _)| own)
                .collect()
        }
        false => named,
    };
    let mut outcomes = Vec::new();
    for pack_ref in wanted {
        let name = pack_ref.to_string();
        let there = manifests.iter().find(|entry| entry.is_named(&name)).cloned();
        let export = export_of(&home, &registry, &pack_ref, Purpose::Audit, &request.copy);
        match export.and_then(|export| write_version(folder, &name, there.as_ref(), export)) {
            Ok(manifest) => {
                manifests.retain(|entry| Some(entry) != there.as_ref());
                manifests.push(Descriptor { annotations: BTreeMap::from([(NAME.to_owned(), name)]), ..manifest });
                outcomes.push(PushOutcome { pack_ref, result: Ok(()) });
            }
            Err(failed) if failed.kind != ErrorKind::Refused => return Err(failed),
            // What the layout says of its end, its issuer has signed.
            Err(failed) if is_unsigned_end(&failed) && says_its_end(folder, &name, there.as_ref()) => {
                outcomes.push(PushOutcome { pack_ref, result: Ok(()) });
            }
            Err(failed) => outcomes.push(PushOutcome { pack_ref, result: Err(failed) }),
        }
    }
    manifests.sort_by(|a, b| a.annotations.get(NAME).cmp(&b.annotations.get(NAME)));
    // Last: everything that it names is there.
    write_json(&path, &json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests }))?;
    Ok(outcomes)
}

/// Makes the folder a layout and takes its lock: that of the file `oci-layout`, which is written once.
fn hold(folder: &Path) -> Result<fs::File, AppError> {
    let path = folder.join("oci-layout");
    let bytes = to_canonical(&json!({ "imageLayoutVersion": "1.0.0" })).map_err(AppError::internal)?;
    let made = files::write(&path, &bytes, Existing::Keep, Access::Shared);
    match made {
        Err(failed) if !path.is_file() => return Err(failed),
        // Another push was first.
        Ok(()) | Err(_) => {}
    }
    let held = files::open(&path)?;
    held.lock().map_err(|error| AppError::writing(&path, &error))?;
    Ok(held)
}

fn is_unsigned_end(failed: &AppError) -> bool {
    failed.report.diagnostics().iter().any(|found| found.code == codes::END_NOT_SIGNED)
}

fn says_its_end(folder: &Path, name: &str, there: Option<&Descriptor>) -> bool {
    there.is_some_and(|entry| read_manifest(folder, name, entry).is_ok_and(|export| !export.endings.is_empty()))
}

/// Writes a version, together with the envelopes that the layout has of it.
fn write_version(
    folder: &Path,
    name: &str,
    there: Option<&Descriptor>,
    export: PackExport,
) -> Result<Descriptor, AppError> {
    let Some(entry) = there else { return write_manifest(folder, &export) };
    match read_manifest(folder, name, entry) {
        Ok(earlier) => write_manifest(folder, &merged(folder, earlier, export)?),
        Err(damaged) => {
            // Blobs that are damaged are written again, if they are the same.
            let manifest = write_manifest(folder, &export)?;
            if manifest.digest == entry.digest { Ok(manifest) } else { Err(damaged) }
        }
    }
}

/// Adds to a version of the layout the envelopes of another copy of it.
///
/// # Errors
/// They are different documents under one name.
fn merged(folder: &Path, earlier: PackExport, export: PackExport) -> Result<PackExport, AppError> {
    let documents = |of: &PackExport| (of.document.clone(), of.overlays.clone(), of.golden.clone());
    if documents(&earlier) != documents(&export) {
        return Err(other_documents(folder, &earlier, &export));
    }
    let all = |mut first: Vec<Envelope>, more: Vec<Envelope>| {
        for envelope in more {
            if !first.contains(&envelope) {
                first.push(envelope);
            }
        }
        first
    };
    Ok(PackExport {
        reviews: all(earlier.reviews, export.reviews),
        signatures: all(earlier.signatures, export.signatures),
        endings: all(earlier.endings, export.endings),
        ..export
    })
}

fn other_documents(folder: &Path, earlier: &PackExport, export: &PackExport) -> AppError {
    let signed = |of: &PackExport| {
        let signers: BTreeSet<String> = of.signatures.iter().flat_map(Envelope::named_keys).collect();
        let signers: Vec<String> = signers.into_iter().collect();
        format!("{} signed by {}", of.content_hash, signers.join(", "))
    };
    let beside = match earlier.content_hash == export.content_hash {
        true => ", with other overlays or golden cases",
        false => "",
    };
    let message =
        format!("`{}` is there as {}, and here it is {}{beside}", export.pack_ref, signed(earlier), signed(export));
    AppError::refused(
        Diagnostic::error(codes::OTHER_VERSION_IN_LAYOUT, message)
            .stage("push")
            .at(Place::file(folder.display().to_string()))
            .help("a published version never changes: publish yours under another version, or push it elsewhere"),
    )
}

/// Imports every version of a layout, as [`super::import`] does.
///
/// # Errors
/// The folder is not such a layout, or the registry cannot be written.
pub fn pull(session: &Session, folder: &Path, pinned: PinnedUse) -> Result<Vec<ImportOutcome>, AppError> {
    let mut exports = Vec::new();
    for entry in index(folder)?.manifests {
        let name = entry.annotations.get(NAME).cloned().unwrap_or_else(|| entry.digest.to_string());
        let read = read_manifest(folder, &name, &entry);
        exports.push((name, read));
    }
    import_all(session, exports, pinned)
}

fn write_manifest(folder: &Path, export: &PackExport) -> Result<Descriptor, AppError> {
    let mut layers = vec![write_blob(folder, PACK, "pack.json", &export.document)?];
    for (at, overlay) in export.overlays.iter().enumerate() {
        layers.push(write_blob(folder, OVERLAY, &format!("overlays/{at:02}.json"), overlay)?);
    }
    for (name, case) in &export.golden {
        layers.push(write_blob(folder, GOLDEN, &format!("golden/{name}.json"), case)?);
    }
    let envelopes = [
        (REVIEW, "reviews", &export.reviews),
        (SIGNATURE, "signatures", &export.signatures),
        (ENDING, "endings", &export.endings),
    ];
    for (kind, stem, envelopes) in envelopes {
        for (at, envelope) in envelopes.iter().enumerate() {
            let value = serde_json::to_value(envelope).map_err(AppError::internal)?;
            layers.push(write_blob(folder, kind, &format!("{stem}/{at:02}.json"), &value)?);
        }
    }
    let config = write_blob(folder, EMPTY, "", &json!({}))?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "artifactType": ARTIFACT,
        "config": config,
        "layers": layers,
    });
    write_blob(folder, MANIFEST, "", &manifest)
}

/// Writes a value under the digest of its canonical bytes.
fn write_blob(folder: &Path, media_type: &str, title: &str, value: &Value) -> Result<Descriptor, AppError> {
    let bytes = to_canonical(value).map_err(AppError::internal)?;
    let digest = ContentHash::of_bytes(&bytes);
    let path = blob_path(folder, &digest);
    let is_there = path.exists() && ContentHash::of_bytes(&files::read(&path)?.bytes) == digest;
    if !is_there {
        files::write(&path, &bytes, Existing::Replace, Access::Shared)?;
    }
    let annotations = match title {
        "" => BTreeMap::new(),
        title => BTreeMap::from([(TITLE.to_owned(), title.to_owned())]),
    };
    Ok(Descriptor { media_type: media_type.to_owned(), digest, size: bytes.len() as u64, annotations })
}

fn write_json(path: &Path, value: &Value) -> Result<(), AppError> {
    let bytes = to_canonical(value).map_err(AppError::internal)?;
    files::write(path, &bytes, Existing::Replace, Access::Shared)
}

fn blob_path(folder: &Path, digest: &ContentHash) -> PathBuf {
    folder.join("blobs").join("sha256").join(digest.hex())
}

fn index(folder: &Path) -> Result<Index, AppError> {
    let path = folder.join("index.json");
    let document = files::document_as(&path, deed_diag::Format::Json)?;
    serde_json::from_value(document.value().clone())
        .map_err(|error| not_an_export(&path.display().to_string(), &error.to_string()))
}

fn read_manifest(folder: &Path, name: &str, entry: &Descriptor) -> Result<PackExport, AppError> {
    let manifest: Manifest =
        serde_json::from_value(read_blob(folder, entry)?).map_err(|error| not_an_export(name, &error.to_string()))?;
    if manifest.artifact_type.as_deref() != Some(ARTIFACT) {
        return Err(not_an_export(name, "the manifest is of another kind of artifact"));
    }
    let reference: PackRef = name.parse().map_err(|_| not_an_export(name, "the manifest is not named by a version"))?;
    let (mut document, mut overlays, mut golden) = (None, Vec::new(), BTreeMap::new());
    let mut envelopes = Envelopes::default();
    for layer in &manifest.layers {
        let value = read_blob(folder, layer)?;
        let envelope = |value: Value| {
            serde_json::from_value::<Envelope>(value).map_err(|error| not_an_export(name, &error.to_string()))
        };
        match layer.media_type.as_str() {
            PACK => document = Some(value),
            OVERLAY => overlays.push(value),
            GOLDEN => {
                let title = layer.annotations.get(TITLE).and_then(|title| title.strip_prefix("golden/"));
                let case = title.and_then(|title| title.strip_suffix(".json"));
                let case = case.ok_or_else(|| not_an_export(name, "a golden case has no name"))?;
                golden.insert(case.to_owned(), value);
            }
            REVIEW => envelopes.reviews.push(envelope(value)?),
            SIGNATURE => envelopes.signatures.push(envelope(value)?),
            ENDING => envelopes.endings.push(envelope(value)?),
            other => return Err(not_an_export(name, &format!("it has a layer of the kind `{other}`"))),
        }
    }
    let document = document.ok_or_else(|| not_an_export(name, "it has no pack"))?;
    assembled(reference, document, overlays, golden, envelopes)
}

/// Reads a blob, and checks its size and its digest.
fn read_blob(folder: &Path, descriptor: &Descriptor) -> Result<Value, AppError> {
    let path = blob_path(folder, &descriptor.digest);
    let name = path.display().to_string();
    if !path.exists() {
        return Err(not_an_export(&name, "the blob is missing"));
    }
    let bytes = files::read(&path)?.bytes;
    if bytes.len() as u64 != descriptor.size || ContentHash::of_bytes(&bytes) != descriptor.digest {
        return Err(not_an_export(&name, "the blob was changed"));
    }
    parse(&bytes).map_err(|error| not_an_export(&name, &error.to_string()))
}

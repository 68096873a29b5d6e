//! Published versions in a plain folder that is laid out as an OCI image layout: `oci-layout`, `index.json` and
//! `blobs/sha256/…`. Any tool that copies such layouts to and from OCI registries can carry it.

use super::exchange::{ImportedPack, assembled, export_of, import_all, not_an_export, published};
use crate::classified::RestrictedCopies;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry::known_ref;
use crate::session::Session;
use deed_canon::{ContentHash, Envelope, parse, to_canonical};
use deed_model::{PackExport, PackRef};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
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

/// Writes published versions into a layout, besides those that it has. Without references all that are not revoked.
///
/// # Errors
/// A version cannot be handed on, or the folder cannot be written.
pub fn push(
    session: &Session,
    folder: &Path,
    references: &[String],
    restricted: RestrictedCopies,
) -> Result<Vec<PackRef>, AppError> {
    let (_, registry) = session.registry()?;
    let wanted = match references.is_empty() {
        true => published(&registry)?,
        false => references.iter().map(|text| known_ref(session, text)).collect::<Result<Vec<_>, _>>()?,
    };
    let mut manifests = if folder.join("index.json").exists() { index(folder)?.manifests } else { Vec::new() };
    for reference in &wanted {
        let manifest = write_manifest(folder, &export_of(&registry, reference, restricted)?)?;
        let name = reference.to_string();
        manifests.retain(|entry| entry.annotations.get(NAME) != Some(&name));
        manifests.push(Descriptor { annotations: BTreeMap::from([(NAME.to_owned(), name)]), ..manifest });
    }
    manifests.sort_by(|a, b| a.annotations.get(NAME).cmp(&b.annotations.get(NAME)));
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests });
    write_json(&folder.join("oci-layout"), &json!({ "imageLayoutVersion": "1.0.0" }))?;
    // Last: everything that it names is there.
    write_json(&folder.join("index.json"), &index)?;
    Ok(wanted)
}

/// Imports every version of a layout, as [`super::import`] does.
///
/// # Errors
/// The folder is not such a layout, a blob was changed, or a version is refused.
pub fn pull(session: &Session, folder: &Path) -> Result<Vec<ImportedPack>, AppError> {
    let mut exports = Vec::new();
    for entry in index(folder)?.manifests {
        let name = entry.annotations.get(NAME).cloned().unwrap_or_else(|| entry.digest.to_string());
        exports.push((name.clone(), read_manifest(folder, &name, &entry)?));
    }
    import_all(session, exports)
}

fn write_manifest(folder: &Path, export: &PackExport) -> Result<Descriptor, AppError> {
    let mut layers = vec![write_blob(folder, PACK, "pack.json", &export.document)?];
    for (at, overlay) in export.overlays.iter().enumerate() {
        layers.push(write_blob(folder, OVERLAY, &format!("overlays/{at:02}.json"), overlay)?);
    }
    for (name, case) in &export.golden {
        layers.push(write_blob(folder, GOLDEN, &format!("golden/{name}.json"), case)?);
    }
    for (kind, stem, envelopes) in [(REVIEW, "reviews", &export.reviews), (SIGNATURE, "signatures", &export.signatures)]
    {
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
    if !path.exists() {
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
    let (mut reviews, mut signatures) = (Vec::new(), Vec::new());
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
            REVIEW => reviews.push(envelope(value)?),
            SIGNATURE => signatures.push(envelope(value)?),
            other => return Err(not_an_export(name, &format!("it has a layer of the kind `{other}`"))),
        }
    }
    let document = document.ok_or_else(|| not_an_export(name, "it has no pack"))?;
    assembled(reference, document, overlays, golden, reviews, signatures)
}

/// Reads a blob, and checks its size and its digest.
fn read_blob(folder: &Path, descriptor: &Descriptor) -> Result<Value, AppError> {
    let path = blob_path(folder, &descriptor.digest);
    let bytes = files::read(&path)?.bytes;
    let name = path.display().to_string();
    if bytes.len() as u64 != descriptor.size || ContentHash::of_bytes(&bytes) != descriptor.digest {
        return Err(not_an_export(&name, "the blob was changed"));
    }
    parse(&bytes).map_err(|error| not_an_export(&name, &error.to_string()))
}

//! `deed pack verify`: what holds, what does not, and what was not proved.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_app::registry::{self, pack_ref, report_of};
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{ReviewRole, TrustStore};
use deed_pack::{OfflineProof, Purpose, read_envelope, verify_offline};
use deed_store::{LoadedPack, Verification};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Verify a version, a pin, the whole registry, or (with --envelope) files alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack verify
  deed pack verify ctxpack.support@1.0.0
  deed pack verify ctxpack.support --env prod")]
pub(crate) struct Verify {
    /// Reference; with --env the id of a pack; with --envelope a folder [default: the whole registry].
    pack: Option<String>,
    /// Verify the version that this environment has pinned.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long, requires = "environment")]
    tenant: Option<String>,
    /// End of the log as it was kept earlier; refused if the log was truncated or rewritten.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["pack", "envelope"])]
    head: Option<ContentHash>,
    /// Signed envelope of the issuer: verify files alone, without a registry.
    #[arg(long, value_name = "FILE", requires_all = ["pack", "trust"], conflicts_with = "environment")]
    envelope: Option<PathBuf>,
    /// Trust store to verify with, as `deed keys list --export` prints it.
    #[arg(long, value_name = "FILE", requires = "envelope")]
    trust: Option<PathBuf>,
    /// Signed envelope of a reviewer, or a folder of `*.review.json`; repeat for several.
    #[arg(long = "review", value_name = "FILE", requires = "envelope")]
    reviews: Vec<PathBuf>,
    /// Accept signatures of retired keys, on your own responsibility that they were made before.
    #[arg(long, requires = "envelope")]
    accept_retired: bool,
}

/// What was verified: a version or pin, files alone, or the whole registry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum VerifiedPack {
    /// A published version.
    Version {
        /// The version.
        pack_ref: String,
        /// Its hash.
        content_hash: String,
        /// Its issuer.
        issuer: String,
        /// The key that signed it.
        signer: String,
        /// The reviews that hold.
        reviews: Vec<ProvenReview>,
        /// Its state.
        state: String,
    },
    /// Files, with `--envelope`.
    Files {
        /// The version.
        pack_ref: String,
        /// Its hash.
        content_hash: String,
        /// Its issuer.
        issuer: String,
        /// The key that signed it.
        signer: String,
        /// What was proved.
        proved: Vec<String>,
        /// What cannot be proved without the registry.
        not_proved: Vec<String>,
    },
    /// The whole registry.
    Registry {
        /// How many events its log has.
        events: u64,
        /// The end of the log.
        head: Option<ShownHead>,
    },
}

/// A review that holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProvenReview {
    /// The role.
    role: ReviewRole,
    /// The key that signed it.
    key_id: String,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match (&self.pack, &self.envelope, &self.trust, &self.environment) {
            (Some(pack), Some(envelope), Some(trust), _) => self.files(pack, envelope, trust),
            (Some(pack), _, _, Some(environment)) => self.pinned(global, pack, environment),
            (Some(pack), _, _, None) => version(global, pack),
            (None, _, _, _) => self.everything(global),
        }
    }

    fn files(&self, pack: &str, envelope: &Path, trust: &Path) -> Result<Success, AppError> {
        let bundle = files::pack_bundle(Path::new(pack))?;
        let store = trust_store(trust)?;
        let signed = envelope_file(envelope)?;
        let mut reviews = Vec::new();
        for path in &self.reviews {
            for file in review_files(path)? {
                reviews.push(envelope_file(&file)?);
            }
        }
        let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
        let proof = verify_offline(bundle.document.value(), &overlays, &signed, &reviews, &store)
            .map_err(|found| AppError::from(report_of(found)))?;
        if let Some(key) = proof.retired.first().filter(|_| !self.accept_retired) {
            return Err(AppError::refused(
                Diagnostic::error(
                    codes::SIGNED_BY_RETIRED_KEY,
                    format!("`{key}` has handed over; whether it signed before that is not known here"),
                )
                .stage("verify")
                .at(Place::file(pack))
                .help("ask the registry with `deed pack verify REF`, or accept it with `--accept-retired`"),
            ));
        }
        Ok(offline(&proof))
    }

    fn pinned(&self, global: &Global, pack_id: &str, environment: &str) -> Result<Success, AppError> {
        let (home, registry) = global.session().registry()?;
        let tenant = self.tenant.as_ref().unwrap_or(&home.config.tenant);
        let loaded = registry.load_pinned(environment, pack_id, tenant).map_err(registry::error)?;
        Ok(proved(&loaded, &format!("pinned in {environment}")))
    }

    fn everything(&self, global: &Global) -> Result<Success, AppError> {
        let (_, registry) = global.session().registry()?;
        let Verification { findings, head, events } = registry.verify(self.head).map_err(registry::error)?;
        let report = report_of(findings);
        if report.has_errors() {
            return Err(report.into());
        }
        let shown = head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let data = VerifiedPack::Registry { events, head: shown };
        let text = head.map_or_else(|| "empty\n".to_owned(), |h| format!("{events} events, head {}\n", h.hash));
        let note = if self.head.is_some() {
            "everything holds, up to the head that was given"
        } else {
            "everything holds; without --head, a log that was cut off or written anew as a whole is not seen"
        };
        Ok(Success::new(data, text).remark(note).report(report))
    }
}

fn version(global: &Global, reference: &str) -> Result<Success, AppError> {
    let reference = pack_ref(reference)?;
    let (_, registry) = global.session().registry()?;
    let loaded = registry.load(&reference, Purpose::Replay).map_err(registry::error)?;
    let history = registry.history(&reference).map_err(registry::error)?;
    let state = match &history.deprecation {
        Some(ending) => format!("deprecated, for replay only: {}", ending.reason),
        None => "published".to_owned(),
    };
    Ok(proved(&loaded, &state))
}

fn proved(loaded: &LoadedPack, state: &str) -> Success {
    let candidate = &loaded.candidate;
    let review = |r: &deed_pack::CountedReview| ProvenReview { role: r.role, key_id: r.key_id.to_string() };
    let reviews = loaded.proof.reviews.iter().map(review).collect();
    let data = VerifiedPack::Version {
        pack_ref: candidate.pack_ref().to_string(),
        content_hash: candidate.content_hash().to_string(),
        issuer: candidate.issuer().to_owned(),
        signer: loaded.proof.signer.to_string(),
        reviews,
        state: state.to_owned(),
    };
    let roles: Vec<String> = loaded.proof.reviews.iter().map(|r| r.role.to_string()).collect();
    let text = format!(
        "{} {}\nsigned by {} for {}\nreviewed: {}\n{state}\n",
        candidate.pack_ref(),
        candidate.content_hash(),
        loaded.proof.signer,
        candidate.issuer(),
        roles.join(", "),
    );
    Success::new(data, text).remark("holds: bytes, hashes, signature, reviews and state agree")
}

fn offline(proof: &OfflineProof) -> Success {
    let data = VerifiedPack::Files {
        pack_ref: proof.pack_ref.to_string(),
        content_hash: proof.content_hash.to_string(),
        issuer: proof.issuer.clone(),
        signer: proof.signer.to_string(),
        proved: proof.proved.clone(),
        not_proved: proof.not_proved.clone(),
    };
    let proved: String = proof.proved.iter().map(|p| format!("proved      {p}\n")).collect();
    let open: String = proof.not_proved.iter().map(|p| format!("not proved  {p}\n")).collect();
    Success::new(data, format!("{} {}\n{proved}{open}", proof.pack_ref, proof.content_hash))
}

/// The file itself, or the reviews of a folder in order of their names.
fn review_files(path: &Path) -> Result<Vec<PathBuf>, AppError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|e| AppError::reading(path, &e))?;
    let paths = entries.map(|entry| entry.map(|e| e.path()).map_err(|e| AppError::reading(path, &e)));
    let mut files: Vec<PathBuf> = paths
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .filter(|p| p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.ends_with(".review.json")))
        .collect();
    files.sort();
    Ok(files)
}

fn envelope_file(path: &Path) -> Result<Envelope, AppError> {
    let file = files::read(path)?;
    read_envelope(&file.bytes).map_err(|why| {
        AppError::refused(
            Diagnostic::error(codes::BAD_ENVELOPE, format!("this is not a signed envelope: {why}"))
                .stage("verify")
                .at(Place::file(file.name.clone()))
                .help("`deed pack sign --out FILE` and `deed pack review --out DIR` write them"),
        )
    })
}

fn trust_store(path: &Path) -> Result<TrustStore, AppError> {
    let document = files::document(path)?;
    serde_json::from_value(document.value().clone()).map_err(|error| {
        AppError::refused(
            Diagnostic::error(codes::BAD_TRUST_STORE, format!("this is not a trust store: {error}"))
                .stage("verify")
                .at(Place::file(path.display().to_string()))
                .help("`deed keys list --export` writes one"),
        )
    })
}

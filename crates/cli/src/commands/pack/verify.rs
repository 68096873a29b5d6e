//! `deed pack verify`: a version, a pin, the whole registry or files, and what was not proved.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text;
use crate::text::count;
use clap::Args;
use deed_app::packs::{OfflineFiles, RetiredKeys, verify_files, verify_pinned, verify_registry, verify_version};
use deed_app::{AppError, Session};
use deed_canon::ContentHash;
use deed_model::ReviewRole;
use deed_pack::OfflineProof;
use deed_store::{LoadedPack, Verification};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

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
    /// Accept signatures of retired keys, although files do not prove that they were made before the key retired.
    #[arg(long, requires = "envelope")]
    accept_retired: bool,
}

/// The result of a verification: of a version or pin, files alone, or the whole registry.
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
        /// The facts that were proved.
        proved: Vec<String>,
        /// The facts that cannot be proved without the registry.
        not_proved: Vec<String>,
    },
    /// The whole registry.
    Registry {
        /// The number of events in its log.
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
        let session = global.session();
        match (&self.pack, &self.envelope, &self.trust, &self.environment) {
            (Some(pack), Some(envelope), Some(trust), _) => {
                let files = OfflineFiles {
                    pack: PathBuf::from(pack),
                    envelope: envelope.clone(),
                    trust: trust.clone(),
                    reviews: self.reviews.clone(),
                    retired_keys: if self.accept_retired { RetiredKeys::Accepted } else { RetiredKeys::Refused },
                };
                Ok(offline(&verify_files(&files)?))
            }
            (Some(pack), _, _, Some(environment)) => {
                let loaded = verify_pinned(&session, pack, environment, self.tenant.as_deref())?;
                Ok(proved(&loaded, &format!("pinned in {environment}")))
            }
            (Some(pack), _, _, None) => {
                let verified = verify_version(&session, pack)?;
                let state = match &verified.deprecated {
                    Some(reason) => format!("deprecated, for replay only: {reason}"),
                    None => "published".to_owned(),
                };
                Ok(proved(&verified.loaded, &state))
            }
            (None, _, _, _) => self.registry(&session),
        }
    }

    fn registry(&self, session: &Session) -> Result<Success, AppError> {
        let (Verification { head, events, .. }, report) = verify_registry(session, self.head)?;
        let shown = head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let data = VerifiedPack::Registry { events, head: shown };
        let text =
            head.map_or_else(|| "empty\n".to_owned(), |h| format!("{}, head {}\n", count(events, "event"), h.hash));
        let remark = match self.head {
            Some(_) => "everything holds, up to the head that was given",
            None => {
                "everything holds; without --head, a log that was truncated or rewritten as a whole is not detected"
            }
        };
        Ok(Success::new(data, text).remark(remark).report(report))
    }
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
    let proved: String = proof.proved.iter().map(|p| text::line(format_args!("proved      {p}"))).collect();
    let open: String = proof.not_proved.iter().map(|p| text::line(format_args!("not proved  {p}"))).collect();
    Success::new(data, format!("{} {}\n{proved}{open}", proof.pack_ref, proof.content_hash))
}

//! `deed pack`: Context Packs from draft to pinned.

mod accept;
mod ci;
mod deprecate;
mod diff;
mod export;
mod import;
mod lint;
mod list;
mod log;
mod new;
mod overlay;
mod pin;
mod promote;
mod publish;
mod push;
mod recheck;
mod review;
mod revoke;
mod rollback;
mod show;
mod sign;
mod unpin;
pub(super) mod verify;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<new::NewPack>("pack new"),
    Described::of::<lint::LintedPack>("pack lint"),
    Described::of::<show::ShownPack>("pack show"),
    Described::of::<diff::PackDiff>("pack diff"),
    Described::of::<overlay::ResolvedPack>("pack overlay"),
    Described::of::<review::Reviews>("pack review"),
    Described::of::<sign::SignedVersion>("pack sign"),
    Described::of::<publish::PublishedVersion>("pack publish"),
    Described::of::<pin::PinnedPack>("pack pin"),
    Described::of::<pin::PinnedPack>("pack rollback"),
    Described::of::<unpin::UnpinnedPack>("pack unpin"),
    Described::of::<promote::PromotedPack>("pack promote"),
    Described::of::<export::ExportedPack>("pack export"),
    Described::of::<Vec<import::BroughtIn>>("pack import"),
    Described::of::<Vec<String>>("pack push"),
    Described::of::<Vec<import::BroughtIn>>("pack pull"),
    Described::of::<deprecate::DeprecatedPack>("pack deprecate"),
    Described::of::<revoke::RevokedPack>("pack revoke"),
    Described::of::<Vec<list::ListedPack>>("pack list"),
    Described::of::<log::PackLog>("pack log"),
    Described::of::<verify::VerifiedPack>("pack verify"),
    Described::of::<recheck::Rechecked>("pack recheck"),
    Described::of::<ci::CheckedPack>("pack ci"),
];

/// Commands about packs.
#[derive(Debug, Subcommand)]
pub(crate) enum Pack {
    New(new::New),
    Lint(lint::Lint),
    Show(show::Show),
    Diff(diff::Diff),
    Overlay(overlay::Overlay),
    Review(review::Review),
    Sign(sign::Sign),
    Publish(publish::Publish),
    Pin(pin::Pin),
    Rollback(rollback::Rollback),
    Unpin(unpin::Unpin),
    Promote(promote::Promote),
    Export(export::Export),
    Import(import::Import),
    Push(push::Push),
    Pull(push::Pull),
    Deprecate(deprecate::Deprecate),
    Revoke(revoke::Revoke),
    List(list::List),
    Log(log::Log),
    Verify(verify::Verify),
    Recheck(recheck::Recheck),
    Ci(ci::Ci),
}

impl Pack {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(global),
            Self::Lint(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Diff(c) => c.run(global),
            Self::Overlay(c) => c.run(global),
            Self::Review(c) => c.run(global),
            Self::Sign(c) => c.run(global),
            Self::Publish(c) => c.run(global),
            Self::Pin(c) => c.run(global),
            Self::Rollback(c) => c.run(global),
            Self::Unpin(c) => c.run(global),
            Self::Promote(c) => c.run(global),
            Self::Export(c) => c.run(global),
            Self::Import(c) => c.run(global),
            Self::Push(c) => c.run(global),
            Self::Pull(c) => c.run(global),
            Self::Deprecate(c) => c.run(global),
            Self::Revoke(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Log(c) => c.run(global),
            Self::Verify(c) => c.run(global),
            Self::Recheck(c) => c.run(global),
            Self::Ci(c) => c.run(global),
        }
    }
}

//! `deed packet`: recordings with their lives.

mod list;
mod show;
mod supersede;
mod verify;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<deed_app::contexts::PacketWithLife>>("packet list"),
    Described::of::<deed_app::contexts::PacketWithLife>("packet show"),
    Described::of::<deed_app::contexts::PacketWithLife>("packet supersede"),
    Described::of::<Vec<deed_app::contexts::VerifiedLife>>("packet verify"),
];

/// Commands about replay packets.
#[derive(Debug, Subcommand)]
pub(crate) enum Packet {
    List(list::List),
    Show(show::Show),
    Supersede(supersede::Supersede),
    Verify(verify::Verify),
}

impl Packet {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(),
            Self::Show(c) => c.run(),
            Self::Supersede(c) => c.run(global),
            Self::Verify(c) => c.run(),
        }
    }
}

//! URLs, read in one way only: what is decided about is what is sent.

mod fault;
mod host;
mod location;
mod path;

pub use fault::UrlFault;
pub use host::Host;
pub use location::{Location, read_authority, read_query};
pub use path::NormalPath;

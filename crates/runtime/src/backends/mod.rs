//! Where steps run, one file each.

mod isolate;
mod native;
mod sandbox;

pub(crate) use isolate::isolate;
pub(crate) use native::native;
pub(crate) use sandbox::sandbox;

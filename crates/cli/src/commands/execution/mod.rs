//! Arguments and rendering that commands about runs share.

pub(crate) mod learned;
pub(crate) mod machine;
pub(crate) mod membership;
pub(crate) mod shown;
pub(crate) mod view;

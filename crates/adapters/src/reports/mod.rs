//! Adapters between reports, one file each.

pub(crate) mod markdown_to_html;

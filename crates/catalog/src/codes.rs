//! The codes of this crate, each with a page.

use deed_diag::Code;

pub(crate) const STRAY_FILE: Code = Code::new("D1801");
pub(crate) const NOT_READ: Code = Code::new("D1802");
pub(crate) const BAD_PACK_ID: Code = Code::new("D1803");
pub(crate) const NAME_TAKEN: Code = Code::new("D1804");
pub(crate) const NO_ENTITY_FILE: Code = Code::new("D1805");
pub(crate) const UNLISTED_ENTITY: Code = Code::new("D1806");
pub(crate) const ENTITY_NAME: Code = Code::new("D1807");
pub(crate) const NOT_AN_ENTITY: Code = Code::new("D1808");
pub(crate) const KEY_NOT_REQUIRED: Code = Code::new("D1809");
pub(crate) const NO_GRAIN: Code = Code::new("D1810");
pub(crate) const NO_DESCRIPTION: Code = Code::new("D1811");
pub(crate) const PROFILE: Code = Code::new("D1812");
pub(crate) const UNKNOWN_NAME: Code = Code::new("D1813");
pub(crate) const UNKNOWN_RIVAL: Code = Code::new("D1814");
pub(crate) const INCOMPLETE: Code = Code::new("D1815");
pub(crate) const SHARED_TRIGGER: Code = Code::new("D1816");
pub(crate) const ADAPTER: Code = Code::new("D1817");
pub(crate) const VERSION: Code = Code::new("D1818");
pub(crate) const ROLES: Code = Code::new("D1824");

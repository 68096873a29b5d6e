//! The transitions, one file each. Each takes folded state and returns the event to append, or every reason against it.
//! The same functions check a whole log event by event.

mod accept_regression;
mod archive;
mod bind_profile;
mod deprecate;
mod lint;
mod observe;
mod pin;
mod promote;
mod publish;
mod publish_profile;
mod reason;
mod recheck;
mod remove_endpoint;
mod review;
mod revoke;
mod revoke_key;
mod set_endpoint;
mod set_policy;
mod sign;
mod take_down;
mod trust_key;
mod unpin;

pub use accept_regression::may_accept_regression;
pub use archive::{may_forget_archive, may_name_archive};
pub use bind_profile::may_bind_profile;
pub use deprecate::may_deprecate;
pub use lint::may_lint;
pub use observe::may_observe;
pub use pin::{may_pin, may_roll_back, roll_back_target};
pub use promote::may_promote;
pub use publish::may_publish;
pub use publish_profile::may_publish_profile;
pub use recheck::may_recheck;
pub use remove_endpoint::may_remove_endpoint;
pub use review::may_review;
pub use revoke::may_revoke;
pub use revoke_key::may_revoke_key;
pub use set_endpoint::may_set_endpoint;
pub use set_policy::may_set_policy;
pub use sign::may_sign;
pub use take_down::PinnedUse;
pub use trust_key::may_trust_key;
pub use unpin::may_unpin;

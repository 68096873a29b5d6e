//! The stable codes of what rungs find.

use deed_diag::Code;

pub(crate) const SECRET: Code = Code::new("D1701");
pub(crate) const PERSONAL: Code = Code::new("D1702");
pub(crate) const FORBIDDEN: Code = Code::new("D1703");
pub(crate) const UNREADABLE: Code = Code::new("D1704");
pub(crate) const NOT_CANONICAL: Code = Code::new("D1705");
pub(crate) const SYNONYM_TAKEN: Code = Code::new("D1710");
pub(crate) const SEVERAL_READINGS: Code = Code::new("D1711");
pub(crate) const CONDITION_FAILED: Code = Code::new("D1712");
pub(crate) const NOT_TRANSFORMED: Code = Code::new("D1713");
pub(crate) const UNKNOWN_NAME: Code = Code::new("D1714");
pub(crate) const NEAR_TIE: Code = Code::new("D1715");
pub(crate) const NAME_TAKEN: Code = Code::new("D1716");
pub(crate) const AMBIGUOUS_DATE: Code = Code::new("D1717");
pub(crate) const PROPOSAL_REFUSED: Code = Code::new("D1718");
pub(crate) const MISSING: Code = Code::new("D1730");
pub(crate) const UNKNOWN_KEY: Code = Code::new("D1731");
pub(crate) const WRONG_TYPE: Code = Code::new("D1732");
pub(crate) const NOT_ALLOWED: Code = Code::new("D1733");
pub(crate) const OUT_OF_RANGE: Code = Code::new("D1734");
pub(crate) const BAD_FORM: Code = Code::new("D1735");
pub(crate) const NO_VARIANT: Code = Code::new("D1736");
pub(crate) const RULED_OUT: Code = Code::new("D1737");
pub(crate) const RULE_BROKEN: Code = Code::new("D1740");
pub(crate) const RULE_FAILED: Code = Code::new("D1741");
pub(crate) const OVER_BUDGET: Code = Code::new("D1750");
pub(crate) const WOULD_INVALIDATE: Code = Code::new("D1751");
pub(crate) const UNSETTLED: Code = Code::new("D1752");
/// The contract itself is wrong.
pub(crate) const BAD_CONTRACT: Code = Code::new("D1753");
/// The contract's schema is refused.
pub(crate) const BAD_SCHEMA: Code = Code::new("D1754");
/// A number lost digits when it was read.
pub(crate) const ROUNDED: Code = Code::new("D1771");
/// A text has several readings that the schema allows.
pub(crate) const SEVERAL_TEXTS: Code = Code::new("D1772");
/// A token of the template stands in the place of content.
pub(crate) const TOKEN_LEFT: Code = Code::new("D1773");
/// The search for readings met its bound.
pub(crate) const SEARCH_BOUND: Code = Code::new("D1774");
/// An expert's finding.
pub(crate) const EXPERT_FINDING: Code = Code::new("D1776");
/// An unknown key is near to a declared one.
pub(crate) const NEAR_KEY: Code = Code::new("D1775");
/// A default is kept out, since an unknown key may be the missing one.
pub(crate) const DEFAULT_HELD: Code = Code::new("D1770");
/// A default is kept out of an object that the text was cut off in.
pub(crate) const DEFAULT_CUT: Code = Code::new("D1778");
/// A default is kept out, since removed text gives its key a value.
pub(crate) const DEFAULT_NAMED: Code = Code::new("D1779");
/// A number at the end of a text that was cut off.
pub(crate) const CUT_NUMBER: Code = Code::new("D1780");
/// Text beside the object writes a value for a key that the object lacks.
pub(crate) const VALUE_OUTSIDE: Code = Code::new("D1781");

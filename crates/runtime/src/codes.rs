//! The codes of everything that can go wrong with a run, listed once. Each has a page.

use deed_diag::Code;

// Before anything runs.
pub(crate) const NEEDS_MODEL: Code = Code::new("D2001");
pub(crate) const INPUT_NOT_GIVEN: Code = Code::new("D2002");
pub(crate) const GRANT_TOO_SMALL: Code = Code::new("D2003");
pub(crate) const NO_SUCH_RUN: Code = Code::new("D2004");
pub(crate) const NO_SUCH_STEP: Code = Code::new("D2005");
pub(crate) const NOT_FORKABLE: Code = Code::new("D2006");
pub(crate) const GATE_LOST: Code = Code::new("D2074");
pub(crate) const PRIVATE_INPUT: Code = Code::new("D2058");
pub(crate) const BAD_RULES: Code = Code::new("D2007");
pub(crate) const OTHER_CATALOG: Code = Code::new("D2008");
pub(crate) const STORE: Code = Code::new("D2009");
pub(crate) const JOURNAL_CHANGED: Code = Code::new("D2070");
pub(crate) const ROLLED_BACK: Code = Code::new("D2071");
// Gates.
pub(crate) const OTHER_ROLE: Code = Code::new("D2011");
pub(crate) const STALE_APPROVAL: Code = Code::new("D2012");
pub(crate) const HIDDEN_TEXT: Code = Code::new("D2013");
pub(crate) const REJECTED: Code = Code::new("D2014");
pub(crate) const GATE_DECIDED: Code = Code::new("D2068");
// What enters.
pub(crate) const MISSING_INPUT: Code = Code::new("D2020");
pub(crate) const BAD_INPUT: Code = Code::new("D2021");
pub(crate) const ALTERED_INPUT: Code = Code::new("D2022");
// How it runs.
pub(crate) const CODE_FAILED: Code = Code::new("D2030");
pub(crate) const CODE_DIED: Code = Code::new("D2031");
pub(crate) const OUT_OF_TIME: Code = Code::new("D2032");
pub(crate) const OUT_OF_MEMORY: Code = Code::new("D2033");
pub(crate) const OUT_OF_SPACE: Code = Code::new("D2034");
pub(crate) const NOT_STARTED: Code = Code::new("D2035");
pub(crate) const TOO_LITTLE_ISOLATION: Code = Code::new("D2036");
pub(crate) const NO_INTERPRETER: Code = Code::new("D2037");
pub(crate) const ADAPTER_REFUSED: Code = Code::new("D2038");
pub(crate) const CANCELLED: Code = Code::new("D2039");
pub(crate) const STEP_PANICKED: Code = Code::new("D2069");
// What leaves.
pub(crate) const NO_OUTPUT: Code = Code::new("D2040");
pub(crate) const BAD_OUTPUT: Code = Code::new("D2041");
pub(crate) const PLACEHOLDER: Code = Code::new("D2042");
pub(crate) const UNDECLARED_WRITE: Code = Code::new("D2043");
pub(crate) const NOT_A_FILE: Code = Code::new("D2044");
pub(crate) const CRITERION: Code = Code::new("D2045");
pub(crate) const SET_COUNT: Code = Code::new("D2046");
pub(crate) const SET_NAME: Code = Code::new("D2047");
// Calls.
pub(crate) const TOOL_NOT_ALLOWED: Code = Code::new("D2050");
pub(crate) const EGRESS_DENIED: Code = Code::new("D2051");
pub(crate) const BUDGET_SPENT: Code = Code::new("D2052");
pub(crate) const OUTCOME_UNKNOWN: Code = Code::new("D2053");
pub(crate) const TOOL_FAILED: Code = Code::new("D2054");
pub(crate) const VERDICT: Code = Code::new("D2055");
pub(crate) const NO_SECRET: Code = Code::new("D2056");
pub(crate) const LINKED_INPUT: Code = Code::new("D2057");
pub(crate) const BAD_MISSION_INPUT: Code = Code::new("D2015");
pub(crate) const NO_EVALUATOR_MODEL: Code = Code::new("D2048");

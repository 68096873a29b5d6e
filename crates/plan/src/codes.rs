//! The codes of this crate, each with a page.

use deed_diag::Code;

// The candidate.
pub(crate) const NOT_READ: Code = Code::new("D1900");
pub(crate) const NO_STEPS: Code = Code::new("D1901");
pub(crate) const BAD_ID: Code = Code::new("D1902");
pub(crate) const SAME_ID: Code = Code::new("D1903");
pub(crate) const SELF_DEPENDENCY: Code = Code::new("D1904");
pub(crate) const UNKNOWN_DEPENDENCY: Code = Code::new("D1905");
pub(crate) const CYCLE: Code = Code::new("D1906");
pub(crate) const SAME_DEPENDENCY: Code = Code::new("D1907");
pub(crate) const BLANK: Code = Code::new("D1908");
pub(crate) const TOO_MANY_STEPS: Code = Code::new("D1909");
pub(crate) const OTHER_WORDS: Code = Code::new("D1910");
// Names of the catalogue.
pub(crate) const NOT_A_NAME: Code = Code::new("D1911");
pub(crate) const UNKNOWN_DOMAIN_PACK: Code = Code::new("D1912");
pub(crate) const UNKNOWN_WORKFLOW_PACK: Code = Code::new("D1913");
pub(crate) const UNKNOWN_POLICY: Code = Code::new("D1914");
pub(crate) const UNKNOWN_SLOT: Code = Code::new("D1915");
pub(crate) const UNKNOWN_ENTITY: Code = Code::new("D1916");
pub(crate) const UNKNOWN_KIND: Code = Code::new("D1917");
pub(crate) const UNKNOWN_PROFILE: Code = Code::new("D1918");
pub(crate) const PACK_NOT_NAMED: Code = Code::new("D1919");
pub(crate) const UNKNOWN_CAPABILITY: Code = Code::new("D1920");
pub(crate) const PROFILE_CONTRADICTS: Code = Code::new("D1921");
pub(crate) const NO_EFFECT: Code = Code::new("D1922");
// Outputs.
pub(crate) const NO_CONTRACT: Code = Code::new("D1923");
pub(crate) const NO_PATH: Code = Code::new("D1924");
pub(crate) const OTHER_EXTENSION: Code = Code::new("D1925");
pub(crate) const OTHER_FORMAT: Code = Code::new("D1926");
pub(crate) const CONTRACT_FOR_NOTHING: Code = Code::new("D1927");
pub(crate) const NOT_CARRIED: Code = Code::new("D1928");
pub(crate) const UNKNOWN_COLUMN: Code = Code::new("D1929");
pub(crate) const COLUMN_MISSING: Code = Code::new("D1930");
pub(crate) const BAD_GRAIN: Code = Code::new("D1931");
pub(crate) const OTHER_TOP_LEVEL: Code = Code::new("D1932");
pub(crate) const KIND_UNCLEAR: Code = Code::new("D1933");
// Wiring.
pub(crate) const ESCAPES: Code = Code::new("D1934");
pub(crate) const BAD_PATH: Code = Code::new("D1935");
pub(crate) const TWO_WRITERS: Code = Code::new("D1936");
pub(crate) const SPELLED_OTHERWISE: Code = Code::new("D1937");
pub(crate) const NOBODY_WRITES: Code = Code::new("D1938");
pub(crate) const WRONG_FOLDER: Code = Code::new("D1939");
// Sets of files.
pub(crate) const SETS_OVERLAP: Code = Code::new("D2023");
pub(crate) const SET_BOUNDS: Code = Code::new("D2024");
pub(crate) const SET_MISUSED: Code = Code::new("D2025");
// Bindings.
pub(crate) const NO_PRODUCER: Code = Code::new("D1940");
pub(crate) const OTHER_SLOT: Code = Code::new("D1941");
pub(crate) const OTHER_ENTITY: Code = Code::new("D1942");
pub(crate) const AMBIGUOUS: Code = Code::new("D1943");
pub(crate) const NO_ADAPTER: Code = Code::new("D1944");
pub(crate) const IMPLICIT: Code = Code::new("D1945");
pub(crate) const GENERIC: Code = Code::new("D1946");
pub(crate) const OTHER_GRAIN: Code = Code::new("D1947");
pub(crate) const LACKS_COLUMNS: Code = Code::new("D1948");
pub(crate) const NO_PROVENANCE: Code = Code::new("D1949");
pub(crate) const UNREADABLE: Code = Code::new("D1950");
pub(crate) const FROM_ELSEWHERE: Code = Code::new("D1951");
pub(crate) const LOSSY: Code = Code::new("D1952");
pub(crate) const NOT_GIVEN: Code = Code::new("D1953");
pub(crate) const OTHER_PROFILE: Code = Code::new("D1972");
// Adapters.
pub(crate) const UNKNOWN_ADAPTER: Code = Code::new("D1954");
pub(crate) const ADAPTER_MISFIT: Code = Code::new("D1955");
pub(crate) const NEEDS_KEYS: Code = Code::new("D1956");
// Running.
pub(crate) const NO_BACKEND: Code = Code::new("D1957");
pub(crate) const NO_GATE: Code = Code::new("D1958");
pub(crate) const IDLE_GATE: Code = Code::new("D1959");
pub(crate) const UNKNOWN_GATE: Code = Code::new("D1960");
pub(crate) const LOOP_OVER_NOTHING: Code = Code::new("D1961");
pub(crate) const CODE_FILE: Code = Code::new("D1973");
pub(crate) const BAD_EGRESS: Code = Code::new("D1974");
pub(crate) const BAD_CALL_GATE: Code = Code::new("D1975");
pub(crate) const NO_WAY_OUT: Code = Code::new("D1976");
// Success.
pub(crate) const NOT_CHECKABLE: Code = Code::new("D1962");
pub(crate) const UNKNOWN_FACT: Code = Code::new("D1963");
pub(crate) const NO_CRITERIA: Code = Code::new("D1964");
// The whole.
pub(crate) const STEP_BUDGET: Code = Code::new("D1965");
pub(crate) const PLAN_BUDGET: Code = Code::new("D1966");
pub(crate) const FOR_NOTHING: Code = Code::new("D1967");
pub(crate) const UNUSED: Code = Code::new("D1968");
// Adapters, continued.
pub(crate) const BAD_ROLE: Code = Code::new("D1977");
pub(crate) const ADAPTER_COLUMNS: Code = Code::new("D1978");
// Wiring, continued.
pub(crate) const BARE_PATH: Code = Code::new("D1979");
// Running, continued.
/// A capability that nothing in this runtime implements: a warning where the plan is checked, a refusal where it is run.
pub const NOT_IMPLEMENTED: Code = Code::new("D1980");
// Bindings, continued.
pub(crate) const SAME_INPUT: Code = Code::new("D1983");
// Tables.
pub(crate) const UNHELD: Code = Code::new("D1988");
pub(crate) const TEXT_MEASURE: Code = Code::new("D1989");
// The whole, continued.
pub(crate) const NO_PRICE: Code = Code::new("D1984");
pub(crate) const RESOLUTION: Code = Code::new("D1985");

//! The notations of programming languages, as data of one grammar.

use super::cursor::Comments;
use super::strings::Quote;

/// What a pair of brackets holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Members: keys, marks and values.
    Members,
    /// Items.
    Items,
    /// Members or items, as the first of them is.
    Either,
    /// Keys and values in turn, with no mark between them.
    Turns,
    /// Pairs of a key and a value, each in brackets of its own.
    Pairs,
    /// One value, which the brackets stand for.
    One,
    /// One text, which the brackets stand for.
    OneText,
    /// Words without quotes.
    Words,
}

/// What stands between the entries of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// A comma.
    Comma,
    /// A comma or a semicolon.
    Semicolon,
    /// A semicolon or the end of a line.
    Line,
    /// A comma or the end of a line.
    CommaOrLine,
    /// Blanks, with or without a comma or semicolon.
    Blank,
}

/// A pair of brackets of a notation, with the name before the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) holds: Holds,
    pub(super) between: Between,
    /// The marks between a key and its value.
    pub(super) marks: &'static [&'static str],
}

/// A notation.
#[derive(Debug)]
pub(super) struct Dialect {
    pub(super) comments: Comments,
    pub(super) double: Quote,
    pub(super) single: Quote,
    /// Marks around a text without escapes.
    pub(super) raw: &'static [(&'static str, &'static str)],
    /// The brackets of a value; longer ones first.
    pub(super) forms: &'static [Form],
    /// The brackets behind the name of a type.
    pub(super) typed: &'static [Form],
    /// The text is the members of an object without brackets.
    pub(super) top: Option<Form>,
    /// A key may be followed by brackets without a mark, and stand several times.
    pub(super) blocks: bool,
    /// A colon before a word makes it a text.
    pub(super) symbols: bool,
    /// Without such a text a value may be of another notation.
    pub(super) needs_symbol: bool,
    /// A word without quotes is the name of a constant.
    pub(super) constants: bool,
    /// A comma behind a value makes a list of it and the next.
    pub(super) comma_lists: bool,
    /// What may stand behind a text and leaves it as it is.
    pub(super) behind: &'static [&'static str],
    /// What may stand behind a number and names its type; longer ones first.
    pub(super) suffixes: &'static [&'static str],
}

const C: Comments = Comments { line: &["//"], block: &[("/*", "*/")] };
const HASH: Comments = Comments { line: &["#"], block: &[] };
const HASH_C: Comments = Comments { line: &["#", "//"], block: &[("/*", "*/")] };

const fn form(open: &'static str, close: &'static str, holds: Holds, marks: &'static [&'static str]) -> Form {
    Form { open, close, holds, between: Between::Comma, marks }
}

const fn parted(
    open: &'static str,
    close: &'static str,
    holds: Holds,
    between: Between,
    marks: &'static [&'static str],
) -> Form {
    Form { open, close, holds, between, marks }
}

const fn items(open: &'static str, close: &'static str) -> Form {
    form(open, close, Holds::Items, &[])
}

const fn text(open: &'static str) -> Form {
    form(open, ")", Holds::OneText, &[])
}

const BASE: Dialect = Dialect {
    comments: C,
    double: Quote::Escaped,
    single: Quote::None,
    raw: &[],
    forms: &[],
    typed: &[],
    top: None,
    blocks: false,
    symbols: false,
    needs_symbol: false,
    constants: false,
    comma_lists: false,
    behind: &[],
    suffixes: &[],
};

const LUA: Dialect = Dialect {
    comments: Comments { line: &["--"], block: &[("--[[", "]]")] },
    single: Quote::Escaped,
    raw: &[("[[", "]]")],
    forms: &[parted("{", "}", Holds::Either, Between::Semicolon, &["="])],
    ..BASE
};

const PHP: Dialect = Dialect {
    comments: HASH_C,
    double: Quote::Dollar,
    single: Quote::Plain,
    forms: &[
        form("array(", ")", Holds::Either, &["=>"]),
        form("[", "]", Holds::Either, &["=>"]),
        form("(object)[", "]", Holds::Members, &["=>"]),
        form("(object) [", "]", Holds::Members, &["=>"]),
    ],
    constants: true,
    ..BASE
};

const PERL: Dialect = Dialect {
    comments: HASH,
    double: Quote::Dollar,
    single: Quote::Plain,
    forms: &[
        form("{", "}", Holds::Members, &["=>"]),
        form("[", "]", Holds::Items, &[]),
        form("(", ")", Holds::Either, &["=>"]),
        form("qw(", ")", Holds::Words, &[]),
    ],
    ..BASE
};

const SWIFT: Dialect = Dialect {
    forms: &[
        form("[:", "]", Holds::Members, &[":"]),
        form("[", "]", Holds::Either, &[":"]),
        form("(", ")", Holds::Members, &[":"]),
    ],
    typed: &[form("(", ")", Holds::Members, &[":"])],
    constants: true,
    ..BASE
};

const GO: Dialect = Dialect {
    single: Quote::None,
    raw: &[("`", "`")],
    forms: &[form("{", "}", Holds::Either, &[":"])],
    typed: &[form("{", "}", Holds::Either, &[":"])],
    constants: true,
    ..BASE
};

const KOTLIN: Dialect = Dialect {
    double: Quote::Dollar,
    forms: &[
        form("mapOf(", ")", Holds::Members, &["to "]),
        form("mutableMapOf(", ")", Holds::Members, &["to "]),
        form("hashMapOf(", ")", Holds::Members, &["to "]),
        form("linkedMapOf(", ")", Holds::Members, &["to "]),
        form("sortedMapOf(", ")", Holds::Members, &["to "]),
        form("emptyMap(", ")", Holds::Members, &["to "]),
        items("listOf(", ")"),
        items("mutableListOf(", ")"),
        items("arrayListOf(", ")"),
        items("setOf(", ")"),
        items("mutableSetOf(", ")"),
        items("arrayOf(", ")"),
        items("intArrayOf(", ")"),
        items("doubleArrayOf(", ")"),
        items("booleanArrayOf(", ")"),
        items("emptyList(", ")"),
        text("LocalDate.parse("),
        text("Instant.parse("),
        text("BigDecimal("),
    ],
    typed: &[form("(", ")", Holds::Members, &["="])],
    constants: true,
    behind: &[".toBigDecimal()"],
    suffixes: &["UL", "uL", "L", "f", "F", "u", "U"],
    ..BASE
};

const R: Dialect = Dialect {
    comments: HASH,
    single: Quote::Escaped,
    forms: &[form("list(", ")", Holds::Either, &["="]), form("c(", ")", Holds::Either, &["="]), text("as.Date(")],
    suffixes: &["L"],
    ..BASE
};

const POWERSHELL: Dialect = Dialect {
    comments: Comments { line: &["#"], block: &[("<#", "#>")] },
    double: Quote::Backtick,
    single: Quote::Doubled,
    forms: &[
        parted("[pscustomobject]@{", "}", Holds::Members, Between::Line, &["="]),
        parted("[PSCustomObject]@{", "}", Holds::Members, Between::Line, &["="]),
        parted("[ordered]@{", "}", Holds::Members, Between::Line, &["="]),
        parted("@{", "}", Holds::Members, Between::Line, &["="]),
        parted("@(", ")", Holds::Items, Between::CommaOrLine, &[]),
    ],
    comma_lists: true,
    suffixes: &["L", "l", "d"],
    ..BASE
};

const EDN: Dialect = Dialect {
    comments: Comments { line: &[";"], block: &[] },
    forms: &[
        parted("{", "}", Holds::Turns, Between::Blank, &[]),
        parted("[", "]", Holds::Items, Between::Blank, &[]),
        parted("#{", "}", Holds::Items, Between::Blank, &[]),
        parted("'(", ")", Holds::Items, Between::Blank, &[]),
        parted("(hash-map", ")", Holds::Turns, Between::Blank, &[]),
        parted("(list", ")", Holds::Items, Between::Blank, &[]),
        parted("(", ")", Holds::Items, Between::Blank, &[]),
    ],
    symbols: true,
    needs_symbol: true,
    suffixes: &["M", "N"],
    ..BASE
};

const HCL: Dialect = Dialect {
    comments: HASH_C,
    double: Quote::Braces,
    forms: &[
        parted("{", "}", Holds::Members, Between::CommaOrLine, &["=", ":"]),
        parted("[", "]", Holds::Items, Between::CommaOrLine, &[]),
        form("toset([", "])", Holds::Items, &[]),
        form("tolist([", "])", Holds::Items, &[]),
    ],
    top: Some(parted("", "", Holds::Members, Between::Line, &["="])),
    blocks: true,
    ..BASE
};

const PROTOBUF: Dialect = Dialect {
    comments: HASH,
    single: Quote::Escaped,
    forms: &[
        parted("{", "}", Holds::Members, Between::Blank, &[":"]),
        parted("<", ">", Holds::Members, Between::Blank, &[":"]),
        items("[", "]"),
    ],
    top: Some(parted("", "", Holds::Members, Between::Blank, &[":"])),
    blocks: true,
    constants: true,
    suffixes: &["f", "F"],
    ..BASE
};

const RUBY: Dialect = Dialect {
    comments: HASH,
    double: Quote::Braces,
    single: Quote::Strict,
    forms: &[
        form("{", "}", Holds::Members, &["=>", ":"]),
        form("%{", "}", Holds::Members, &["=>", ":"]),
        form("#{", "}", Holds::Members, &["=>", ":"]),
        form("[", "]", Holds::Items, &[]),
        form("%w[", "]", Holds::Words, &[]),
        form("%i[", "]", Holds::Words, &[]),
        form("%w(", ")", Holds::Words, &[]),
        text("Date.parse("),
    ],
    typed: &[form("(", ")", Holds::Members, &[":"]), form("{", "}", Holds::Members, &[":"])],
    symbols: true,
    behind: &[".freeze"],
    ..BASE
};

const SCALA: Dialect = Dialect {
    forms: &[
        form("Map(", ")", Holds::Members, &["->"]),
        form("Dict(", ")", Holds::Members, &["=>"]),
        items("List(", ")"),
        items("Seq(", ")"),
        items("Vector(", ")"),
        items("Set(", ")"),
        items("Array(", ")"),
        items("[", "]"),
        form("Some(", ")", Holds::One, &[]),
    ],
    typed: &[form("(", ")", Holds::Members, &["="])],
    constants: true,
    suffixes: &["L", "l", "f", "F", "d", "D"],
    ..BASE
};

const RUST: Dialect = Dialect {
    raw: &[("r#\"", "\"#"), ("r\"", "\"")],
    forms: &[
        form("{", "}", Holds::Members, &[":"]),
        items("[", "]"),
        items("&[", "]"),
        items("vec![", "]"),
        items("(", ")"),
        form("HashMap::from(", ")", Holds::Pairs, &[]),
        form("BTreeMap::from(", ")", Holds::Pairs, &[]),
        form("Vec::from(", ")", Holds::One, &[]),
        form("Some(", ")", Holds::One, &[]),
        form("Box::new(", ")", Holds::One, &[]),
        items("Vec::new(", ")"),
        text("String::from("),
    ],
    typed: &[form("{", "}", Holds::Members, &[":"])],
    constants: true,
    behind: &[".to_string()", ".to_owned()", ".into()"],
    suffixes: &["usize", "isize", "u128", "i128", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64", "u8", "i8"],
    ..BASE
};

const C_SHARP: Dialect = Dialect {
    raw: &[("@\"", "\"")],
    forms: &[
        form("{", "}", Holds::Either, &["="]),
        form("[", "]", Holds::Items, &[]),
        text("DateTime.Parse("),
        text("Guid.Parse("),
    ],
    typed: &[form("{", "}", Holds::Either, &["="])],
    constants: true,
    suffixes: &["UL", "ul", "L", "l", "f", "F", "d", "D", "m", "M", "u", "U"],
    ..BASE
};

const JAVA: Dialect = Dialect {
    forms: &[
        form("Map.of(", ")", Holds::Turns, &[]),
        form("ImmutableMap.of(", ")", Holds::Turns, &[]),
        form("Map.ofEntries(", ")", Holds::Pairs, &[]),
        items("Map.entry(", ")"),
        items("entry(", ")"),
        items("List.of(", ")"),
        items("Set.of(", ")"),
        items("ImmutableList.of(", ")"),
        items("Arrays.asList(", ")"),
        items("Collections.emptyList(", ")"),
        form("Optional.of(", ")", Holds::One, &[]),
        form("new HashMap<>(", ")", Holds::One, &[]),
        form("new LinkedHashMap<>(", ")", Holds::One, &[]),
        form("new ArrayList<>(", ")", Holds::One, &[]),
        text("LocalDate.parse("),
        text("Instant.parse("),
        text("UUID.fromString("),
        text("URI.create("),
        text("new BigDecimal("),
    ],
    typed: &[form("{", "}", Holds::Items, &[])],
    constants: true,
    suffixes: &["L", "l", "f", "F", "d", "D"],
    ..BASE
};

/// Every notation.
pub(super) const DIALECTS: [&Dialect; 16] = [
    &LUA,
    &PHP,
    &PERL,
    &SWIFT,
    &GO,
    &KOTLIN,
    &R,
    &POWERSHELL,
    &EDN,
    &HCL,
    &PROTOBUF,
    &RUBY,
    &SCALA,
    &RUST,
    &C_SHARP,
    &JAVA,
];

//! What a repair did, and how sure one can be of it.

/// How much a repair leaves open. The order counts: the least sure repair speaks for the whole reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Only the notation changed: another language, or wrapping, of the very same value.
    Exact,
    /// One sensible reading was found; the writer's intent was inferred from what stands around it.
    Likely,
    /// The text ended early: what is there is right, but more was meant.
    Partial,
}

/// Declares the kinds once: variant, name, certainty and sentence cannot drift apart.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $certainty:ident $message:literal;)+) => {
        /// What was done to the text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RepairKind {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl RepairKind {
            /// Every kind, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name, as it is stored.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// How sure one can be of a repair of this kind.
            pub const fn certainty(self) -> Certainty {
                match self { $(Self::$variant => Certainty::$certainty,)+ }
            }

            /// What was done, in words for a message.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }
        }
    };
}

kinds! {
    /// U+FEFF before the value.
    ByteOrderMark "byte_order_mark" Exact "removed a byte order mark";
    /// A line of backticks or tildes, with its language word.
    CodeFence "code_fence" Exact "removed a code fence";
    /// The word `json` alone before the value.
    LanguageWord "language_word" Exact "removed the name of the language";
    /// An XML-like tag around the value, such as `<json>`.
    WrapperTag "wrapper_tag" Exact "removed a tag around the value";
    /// Marks of emphasis, quotation, inline code or a template around the value.
    Markup "markup" Exact "removed marks around the value";
    /// A block such as `<think>` in which a model reasons before it answers.
    Reasoning "reasoning" Exact "removed a block of reasoning";
    /// Text before the value.
    ProseBefore "prose_before" Likely "removed text before the value";
    /// Text after the value.
    ProseAfter "prose_after" Likely "removed text after the value";
    /// Statements of a program behind the value that hand on the variable it was assigned to.
    ProgramCode "program_code" Exact "removed program statements after the value";
    /// The very same value once more.
    DoubledValue "doubled_value" Exact "removed a second copy of the same value";
    /// A bracket, parenthesis or semicolon after the value that closes nothing.
    StrayCloser "stray_closer" Likely "removed a bracket or semicolon that closes nothing";
    /// The value written as the text of a JSON string.
    DoubleEncoded "double_encoded" Exact "decoded a value that was encoded twice";
    /// Members without the braces around them.
    BracesAdded "braces_added" Likely "added the braces around the members";
    /// A bracket that was never closed although the text goes on.
    MissingCloser "missing_closer" Likely "added a closing bracket";
    /// A comment of JavaScript, C or Python.
    Comment "comment" Exact "removed a comment";
    /// A character between tokens that JSON does not take for a space.
    ForeignSpace "foreign_space" Exact "replaced a space that JSON does not know";
    /// A comma after the last member or item.
    TrailingComma "trailing_comma" Exact "removed a trailing comma";
    /// A comma too many between or before members.
    ExtraComma "extra_comma" Likely "removed a comma too many";
    /// No comma between members or items that are clearly two.
    MissingComma "missing_comma" Likely "added a missing comma";
    /// A semicolon where a comma belongs.
    Separator "separator" Likely "replaced a semicolon between members or items";
    /// `=`, `=>`, `:=` or a full-width colon between key and value.
    KeySeparator "key_separator" Exact "replaced the mark between key and value";
    /// A string in single quotes.
    SingleQuotes "single_quotes" Exact "replaced single quotes";
    /// A string in backticks.
    BacktickQuotes "backtick_quotes" Exact "replaced backticks around a string";
    /// A string in typographic quotes.
    SmartQuotes "smart_quotes" Exact "replaced typographic quotes";
    /// A string in three quotes, as Python writes it.
    TripleQuotes "triple_quotes" Exact "replaced triple quotes";
    /// The `u` of a Python 2 string.
    StringPrefix "string_prefix" Exact "removed the prefix of a string";
    /// Strings joined by `+`.
    JoinedStrings "joined_strings" Exact "joined the parts of a string";
    /// Double quotes inside a string that were not escaped.
    InnerQuotes "inner_quotes" Likely "escaped a quote inside a string";
    /// A raw line break, tab or other control character inside a string.
    ControlCharacter "control_character" Exact "escaped a control character inside a string";
    /// An escape of another language that names one character.
    ForeignEscape "foreign_escape" Exact "rewrote an escape that JSON does not know";
    /// A backslash that escapes nothing, as in a regular expression or a path.
    LoneBackslash "lone_backslash" Likely "escaped a backslash that stands for itself";
    /// A key without quotes.
    UnquotedKey "unquoted_key" Exact "quoted a key";
    /// One word as a value, without quotes.
    BareWord "bare_word" Likely "quoted a word";
    /// Text without quotes that is more than one plain word; the schema asks for text there.
    BarePhrase "bare_phrase" Likely "quoted a phrase";
    /// A key and its value with no colon between them.
    MissingColon "missing_colon" Likely "added a missing colon";
    /// One of the two quotes of a string or key.
    MissingQuote "missing_quote" Likely "added a missing quote";
    /// A closing bracket of the other sort.
    WrongCloser "wrong_closer" Likely "replaced a closing bracket of the wrong sort";
    /// Digits in groups, as in `1_000`.
    DigitGroups "digit_groups" Exact "removed the marks between groups of digits";
    /// Another value in the text, which the schema does not allow.
    OtherValue "other_value" Likely "removed another value that the schema does not allow";
    /// Several values that the schema asks for as one list.
    ListAdded "list_added" Likely "put several values into one list";
    /// Lines such as `key: value` in the place of an object.
    KeyValueLines "key_value_lines" Likely "read lines of keys and values as an object";
    /// A single word or number as the whole payload.
    LoneValue "lone_value" Likely "read a single value that stood without quotes";
    /// A table whose headers are keys, in the place of objects.
    Table "table" Likely "read a table as objects";
    /// A value in the notation of a programming language: a call, a constructor, a set.
    ForeignValue "foreign_value" Likely "read a value in the notation of another language";
    /// A literal of a programming language: a table of Lua, an array of PHP, a map of Kotlin.
    LanguageLiteral "language_literal" Likely "read a literal of a programming language";
    /// Lines of a settings file: `.env`, `.properties`, sections of INI.
    SettingsLines "settings_lines" Likely "read lines of settings as an object";
    /// A URL-encoded query.
    QueryString "query_string" Likely "read a URL-encoded query as an object";
    /// Elements of XML or HTML, or a property list.
    MarkupElements "markup_elements" Likely "read elements of markup as a value";
    /// The rows of an `INSERT` statement.
    InsertRows "insert_rows" Likely "read the rows of an `INSERT` statement";
    /// A list without its brackets, as the value of a key.
    UnbracketedList "unbracketed_list" Likely "put brackets around a list that had none";
    /// `True`, `None`, `NULL` and the like.
    ForeignLiteral "foreign_literal" Exact "rewrote a literal of another language";
    /// A number with a plus sign.
    PlusSign "plus_sign" Exact "removed the plus sign of a number";
    /// `.5` or `5.`.
    BareDecimalPoint "bare_decimal_point" Exact "completed a number around its decimal point";
    /// A whole number written in hexadecimal.
    HexNumber "hex_number" Exact "rewrote a hexadecimal number";
    /// The same member twice with the same value.
    DuplicateMember "duplicate_member" Exact "removed a member that stood there twice with the same value";
    /// A string that the text ends in: what is kept is its beginning.
    CutStringClosed "cut_string_closed" Partial "closed a string that was cut off";
    /// `tru`, completed: only one literal begins so.
    CutLiteralCompleted "cut_literal_completed" Exact "completed a literal that was cut off";
    /// A member or item of which too little was left, and everything after it.
    CutMemberDropped "cut_member_dropped" Partial "dropped a member or item that was cut off";
    /// A bracket that was open where the text ended.
    CutClosed "cut_closed" Partial "closed a bracket where the text was cut off";
}

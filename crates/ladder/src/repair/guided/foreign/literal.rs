//! Values of programming languages, by one grammar that the table of notations fills in.

use super::cursor::{Cursor, Gap};
use super::dialect::{Between, Dialect, Form, Holds};
use super::node::{Node, Object, of_pairs};
use super::number::number;
use super::statement::is_doubted;
use super::strings::{raw, string};
use std::borrow::Cow;
use std::collections::HashSet;

/// Values within values.
const DEEPEST: usize = 64;
/// Longer than the name of a type.
const LONGEST_TYPE: usize = 120;

/// Reads values of one notation.
pub(super) struct Grammar<'d, 't> {
    pub(super) cursor: Cursor<'t>,
    dialect: &'d Dialect,
    depth: usize,
    /// The labels of the block whose brackets come next.
    labels: Vec<Cow<'t, str>>,
    /// Whether a text was marked by a colon before it.
    has_symbol: bool,
}

/// An entry of brackets.
enum Entry<'t> {
    Member(Cow<'t, str>, Node<'t>),
    Item(Node<'t>),
}

impl<'d, 't> Grammar<'d, 't> {
    pub(super) fn new(text: &'t str, pos: usize, dialect: &'d Dialect) -> Self {
        Self {
            cursor: Cursor::new(text, pos, dialect.comments),
            dialect,
            depth: 0,
            labels: Vec::new(),
            has_symbol: false,
        }
    }

    /// Returns whether what was read is of this notation alone, as far as it needs to be.
    pub(super) fn is_marked(&self) -> bool {
        self.has_symbol || !self.dialect.needs_symbol
    }

    /// Reads the members of an object without brackets, up to the end of the text.
    pub(super) fn top(&mut self, form: &Form) -> Option<Node<'t>> {
        let node = self.entries(form)?;
        self.cursor.rest().is_empty().then_some(node)
    }

    /// Reads a value.
    pub(super) fn value(&mut self) -> Option<Node<'t>> {
        self.depth += 1;
        let read = if self.depth > DEEPEST { None } else { self.value_inside() };
        self.depth -= 1;
        read
    }

    fn value_inside(&mut self) -> Option<Node<'t>> {
        self.cursor.gap();
        let dialect = self.dialect;
        if let Some((open, close)) = dialect.raw.iter().find(|(open, _)| self.cursor.rest().starts_with(open)) {
            return raw(&mut self.cursor, open, close).map(Node::Text);
        }
        if let Some(form) = dialect.forms.iter().find(|form| self.cursor.rest().starts_with(form.open)) {
            self.cursor.take(form.open);
            return self.entries(form);
        }
        match self.cursor.peek()? {
            c @ ('"' | '\'') => self.text(c).map(Node::Text),
            '0'..='9' | '-' | '+' | '.' if self.is_number() => {
                number(&mut self.cursor, dialect.suffixes).map(Node::Number)
            }
            ':' if dialect.symbols => self.symbol().map(|name| Node::Text(Cow::Borrowed(name))),
            '$' => self.sigil(),
            _ => self.word(),
        }
    }

    /// Returns whether a number begins here.
    fn is_number(&self) -> bool {
        let digits = self.cursor.rest().trim_start_matches(['-', '+', '.']);
        digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// A text in quotes, with what leaves it as it is behind it.
    fn text(&mut self, mark: char) -> Option<Cow<'t, str>> {
        let quote = if mark == '"' { self.dialect.double } else { self.dialect.single };
        let text = string(&mut self.cursor, quote)?;
        let behind = self.dialect.behind.iter().find(|behind| self.cursor.rest().starts_with(*behind));
        self.cursor.take(behind.copied().unwrap_or_default());
        Some(text)
    }

    /// `:name`.
    fn symbol(&mut self) -> Option<&'t str> {
        self.cursor.bump();
        self.has_symbol = true;
        let name = self.cursor.run(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        (!name.is_empty()).then_some(name)
    }

    /// `$true`, `$false` and `$null`.
    fn sigil(&mut self) -> Option<Node<'t>> {
        self.cursor.bump();
        let name = self.cursor.run(|c| c.is_alphanumeric() || c == '_');
        match name.to_ascii_lowercase().as_str() {
            "true" if self.dialect.comma_lists => Some(Node::Bool(true)),
            "false" if self.dialect.comma_lists => Some(Node::Bool(false)),
            "null" if self.dialect.comma_lists => Some(Node::Null),
            _ => None,
        }
    }

    /// A literal, a value behind the name of a type, or the name of a constant.
    fn word(&mut self) -> Option<Node<'t>> {
        let start = self.cursor.pos;
        let word = self.cursor.run(|c| c.is_alphanumeric() || c == '_');
        let ends = !self.cursor.rest().starts_with(['(', '{', '[', '.', ':', '<', '!', '-']);
        let literal = match word {
            "true" | "True" | "TRUE" => Some(Node::Bool(true)),
            "false" | "False" | "FALSE" => Some(Node::Bool(false)),
            "null" | "nil" | "None" | "NULL" | "undef" | "Nothing" | "NA" | "nullptr" => Some(Node::Null),
            _ => None,
        };
        if literal.is_some() && ends {
            return literal;
        }
        self.cursor.back(start);
        if let Some(typed) = self.typed() {
            return Some(typed);
        }
        self.cursor.back(start);
        self.constant()
    }

    /// `Status.OPEN`, `Status::Open`, `.open` or `OPEN`.
    fn constant(&mut self) -> Option<Node<'t>> {
        let name = self.cursor.run(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
        let last = name.rsplit(['.', ':']).next().filter(|last| last.starts_with(char::is_alphabetic))?;
        let ends = !self.cursor.rest().starts_with(['(', '{', '[', '<', '"', '\'']);
        // `config.open` refers to a value of the program.
        let is_constant = !name.contains(['.', ':'])
            || last.starts_with(char::is_uppercase)
            || name.starts_with(|c: char| c.is_uppercase() || c == '.');
        (self.dialect.constants && ends && is_constant).then_some(Node::Name(last))
    }

    /// Brackets behind the name of a type.
    fn typed(&mut self) -> Option<Node<'t>> {
        let name = self.type_name()?;
        let form = self.dialect.typed.iter().find(|form| self.cursor.rest().starts_with(form.open))?;
        // The arguments of a function may be anything; those of a constructor have names.
        let is_type = form.open != "(" || name.starts_with(char::is_uppercase);
        if !is_type || is_doubted(name) {
            return None;
        }
        self.cursor.take(form.open);
        let node = self.entries(form)?;
        let is_map = name.contains("Dictionary") || name.contains("Map") || name.starts_with("map[");
        match node {
            Node::Empty if is_map => Some(Node::Object(Object::default())),
            Node::List(items) if is_map => of_pairs(items),
            Node::Empty if name.contains("[]") || name.contains("List") => Some(Node::List(Vec::new())),
            other => Some(other),
        }
    }

    /// The name of a type up to its brackets: `&pkg.Type`, `map[string]int`, `new List<string>`, `Outer::Inner`.
    fn type_name(&mut self) -> Option<&'t str> {
        self.cursor.take("&");
        let opens = |open: &&str| self.cursor.rest().starts_with(*open);
        let is_bare = ["new[", "new("].iter().any(opens);
        let is_new = self.cursor.take("new ") || (is_bare && self.cursor.take("new"));
        let (start, mut depth) = (self.cursor.pos, 0_usize);
        loop {
            if self.cursor.take("interface{}") || self.cursor.take("struct{}") {
                continue;
            }
            let c = self.cursor.peek()?;
            match c {
                '<' | '[' => depth += 1,
                '>' | ']' => depth = depth.checked_sub(1)?,
                c if c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | ':' | '?') => {}
                ' ' | ',' if depth > 0 => {}
                _ => break,
            }
            self.cursor.bump();
            if self.cursor.pos - start > LONGEST_TYPE {
                return None;
            }
        }
        let name = self.cursor.text.get(start..self.cursor.pos)?;
        if is_new && self.cursor.rest().starts_with("()") {
            self.cursor.take("()");
        }
        self.cursor.run(|c| matches!(c, ' ' | '\t') || (is_new && c.is_whitespace()));
        (depth == 0 && (is_new || !name.is_empty())).then_some(name)
    }

    /// The entries of brackets that are open, up to the bracket that closes.
    fn entries(&mut self, form: &Form) -> Option<Node<'t>> {
        if form.holds == Holds::Words {
            return self.words(form);
        }
        let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
        let mut items: Vec<Node<'t>> = Vec::new();
        let mut attributes: HashSet<Cow<'t, str>> = HashSet::new();
        loop {
            self.cursor.gap();
            if self.closes(form) {
                break;
            }
            match self.entry(form)? {
                Entry::Member(key, node) => {
                    let is_block = self.dialect.blocks && matches!(node, Node::Object(_));
                    let is_repeated = form.between == Between::Blank && self.dialect.blocks;
                    if !is_block && !is_repeated && !attributes.insert(key.clone()) {
                        return None;
                    }
                    members.push((key, node));
                }
                Entry::Item(node) => items.push(node),
            }
            self.separator(form)?;
        }
        self.node(form, members, items)
    }

    fn node(&self, form: &Form, members: Vec<(Cow<'t, str>, Node<'t>)>, mut items: Vec<Node<'t>>) -> Option<Node<'t>> {
        let object = |members| {
            let object = if self.dialect.blocks { Object::repeating(members) } else { Object::plain(members) };
            Some(Node::Object(object))
        };
        match form.holds {
            Holds::Members if items.is_empty() => object(members),
            Holds::Items if members.is_empty() => Some(Node::List(items)),
            Holds::Either => match (members.is_empty(), items.is_empty()) {
                (true, true) => Some(Node::Empty),
                (true, false) => Some(Node::List(items)),
                (false, true) => object(members),
                (false, false) => None,
            },
            Holds::Turns => in_turns(items),
            Holds::Pairs => match items.as_mut_slice() {
                [Node::List(inner)] if inner.iter().all(|item| matches!(item, Node::List(_))) => {
                    of_pairs(std::mem::take(inner))
                }
                _ => of_pairs(items),
            },
            Holds::One => items.pop().filter(|_| items.is_empty()),
            Holds::OneText => items.pop().filter(|item| items.is_empty() && matches!(item, Node::Text(_))),
            Holds::Members | Holds::Items | Holds::Words => None,
        }
    }

    /// Words without quotes up to the bracket that closes.
    fn words(&mut self, form: &Form) -> Option<Node<'t>> {
        let inner = self.cursor.run(|c| !form.close.starts_with(c) && c != '\\' && c != '#');
        self.cursor.take(form.close).then_some(())?;
        Some(Node::List(inner.split_whitespace().map(|word| Node::Text(Cow::Borrowed(word))).collect()))
    }

    /// Takes the bracket that closes; at the top of a text its end does.
    fn closes(&mut self, form: &Form) -> bool {
        if form.close.is_empty() { self.cursor.rest().is_empty() } else { self.cursor.take(form.close) }
    }

    fn entry(&mut self, form: &Form) -> Option<Entry<'t>> {
        let start = self.cursor.pos;
        if matches!(form.holds, Holds::Members | Holds::Either) {
            if let Some(key) = self.key(form) {
                return self.member(key, form);
            }
            if form.holds == Holds::Members {
                return None;
            }
            self.cursor.back(start);
        }
        self.value().map(Entry::Item)
    }

    /// The value of a member, whose key and mark were read.
    fn member(&mut self, key: Cow<'t, str>, form: &Form) -> Option<Entry<'t>> {
        let labels = std::mem::take(&mut self.labels);
        let value = self.value()?;
        let within = |inner, label| Node::Object(Object::repeating(vec![(label, inner)]));
        let value = labels.into_iter().rev().fold(value, within);
        if !self.dialect.comma_lists || form.between != Between::Line {
            return Some(Entry::Member(key, value));
        }
        let mut items = vec![value];
        loop {
            let end = self.cursor.pos;
            if self.cursor.gap() == Gap::Line || !self.cursor.take(",") {
                self.cursor.back(end);
                break;
            }
            items.push(self.value()?);
        }
        let value = if items.len() > 1 { Node::List(items) } else { items.pop()? };
        Some(Entry::Member(key, value))
    }

    /// A key and the mark behind it; for a block the key alone, with its labels in front of the brackets.
    fn key(&mut self, form: &Form) -> Option<Cow<'t, str>> {
        let is_bare = self.cursor.peek().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let key = self.name(form)?;
        let gap = self.cursor.gap();
        let rest = self.cursor.rest();
        let is_mark = |mark: &&&str| {
            let behind = rest.strip_prefix(**mark).unwrap_or_default();
            let is_longer = matches!(**mark, "=" | ":") && behind.starts_with(['=', ':', '>']);
            rest.starts_with(**mark) && !is_longer && (**mark != "to " || gap != Gap::None)
        };
        if let Some(mark) = form.marks.iter().find(is_mark) {
            // In Ruby a name without a colon before an arrow is a variable.
            if self.dialect.symbols && is_bare && **mark == *"=>" {
                return None;
            }
            self.cursor.take(mark);
            return Some(key);
        }
        if !self.dialect.blocks || gap == Gap::Line {
            return None;
        }
        while form.marks.contains(&"=") && gap == Gap::Blank && self.cursor.peek() == Some('"') {
            let label = self.text('"')?;
            self.labels.push(label);
            self.cursor.gap();
        }
        let opens_angle = self.cursor.rest().starts_with('<') && form.between == Between::Blank;
        (self.cursor.rest().starts_with('{') || opens_angle).then_some(key)
    }

    /// The name of a key: in quotes, in brackets, as a symbol or bare.
    fn name(&mut self, form: &Form) -> Option<Cow<'t, str>> {
        match self.cursor.peek()? {
            // The names of fields have no quotes where blanks part them.
            '"' | '\'' if self.dialect.blocks && form.between == Between::Blank => None,
            c @ ('"' | '\'') => self.text(c),
            '[' if form.marks.contains(&"=") => {
                self.cursor.bump();
                let mark = self.cursor.peek().filter(|c| matches!(c, '"' | '\''))?;
                let key = self.text(mark)?;
                self.cursor.take("]").then_some(key)
            }
            ':' if self.dialect.symbols => self.symbol().map(Cow::Borrowed),
            _ => {
                let name = self.cursor.run(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
                (!name.is_empty() && !name.ends_with('-') && !name.starts_with('-')).then_some(Cow::Borrowed(name))
            }
        }
    }

    /// What parts an entry from the next, or the bracket that closes, which is left.
    fn separator(&mut self, form: &Form) -> Option<()> {
        let gap = self.cursor.gap();
        let closes = if form.close.is_empty() {
            self.cursor.rest().is_empty()
        } else {
            self.cursor.rest().starts_with(form.close)
        };
        let parted = match form.between {
            Between::Comma => self.cursor.take(","),
            Between::Semicolon => self.cursor.take(",") || self.cursor.take(";"),
            Between::Line => self.cursor.take(";") || gap == Gap::Line,
            Between::CommaOrLine => self.cursor.take(",") || gap == Gap::Line,
            Between::Blank => self.cursor.take(",") || self.cursor.take(";") || gap != Gap::None,
        };
        (closes || parted).then_some(())
    }
}

/// The object of keys and values that stand in turn.
fn in_turns(items: Vec<Node<'_>>) -> Option<Node<'_>> {
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    let mut items = items.into_iter();
    while let Some(key) = items.next() {
        let Node::Text(key) = key else { return None };
        if !seen.insert(key.clone()) {
            return None;
        }
        members.push((key, items.next()?));
    }
    Some(Node::Object(Object::plain(members)))
}

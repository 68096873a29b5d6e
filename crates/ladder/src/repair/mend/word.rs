//! Words without quotes: literals of JSON and of other languages, and single plain words.

use super::ahead::Place;
use super::{End, Mender, Opening};
use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// More than a message shows.
const SHOWN: usize = 200;

impl Mender<'_> {
    pub(super) fn word(&mut self, place: Place) -> Result<End, Fault> {
        let start = self.pos;
        let rest = excerpt(self.text, start..);
        let len =
            rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.'))).unwrap_or(rest.len());
        let word = excerpt(rest, ..len);
        self.pos = start + len;
        if word == "u" && self.is_quote(self.pos) {
            self.push(Repair::remove(RepairKind::StringPrefix, start..self.pos));
            return self.string(place);
        }
        if matches!(self.peek(), Some(b'(')) || self.is_quote(self.pos) || word == "new" {
            return Err(self.fault_from(start, UnreadableKind::Expression));
        }
        match word {
            "true" | "false" | "null" => {}
            "True" | "TRUE" => self.literal(start, "true"),
            "False" | "FALSE" => self.literal(start, "false"),
            "None" | "NULL" | "Null" | "nil" => self.literal(start, "null"),
            _ if self.opening == Opening::Bracket && self.byte(self.past_space(self.pos)).is_none() => {
                let word = word.to_owned();
                return Ok(self.cut_word(start, &word));
            }
            "NaN" | "nan" | "NAN" | "Infinity" | "inf" | "Inf" => {
                return Err(self.fault_from(start, UnreadableKind::NotANumber));
            }
            "etc" | "etc." | "usw" | "usw." => return Err(self.fault_from(start, UnreadableKind::Placeholder)),
            "undefined" => return Err(self.fault_from(start, UnreadableKind::Undefined)),
            plain if is_plain(plain) => self.literal_word(start, plain),
            _ => return Err(self.fault_from(start, UnreadableKind::BareValue)),
        }
        self.end_of_bare(start)
    }

    fn literal(&mut self, start: usize, json: &'static str) {
        self.push(Repair::replace(RepairKind::ForeignLiteral, start..self.pos, json));
    }

    fn literal_word(&mut self, start: usize, word: &str) {
        self.push(Repair::replace(RepairKind::BareWord, start..self.pos, format!("\"{word}\"")));
    }

    /// The text ends in a word. `tru` can only become `true`, unless this writer leaves quotes out.
    fn cut_word(&mut self, start: usize, word: &str) -> End {
        let literal = ["true", "false", "null"].into_iter().find(|literal| literal.starts_with(word));
        let sloppy = self.script.iter().any(|edit| edit.kind == RepairKind::BareWord);
        match literal {
            Some(literal) if !sloppy => {
                self.push(Repair::replace(RepairKind::CutLiteralCompleted, start..self.pos, literal));
                End::Cut
            }
            Some(_) | None => End::Dropped,
        }
    }

    /// After a word or number only structure or a new line may follow: `12 apples` is not 12.
    pub(super) fn end_of_bare(&mut self, start: usize) -> Result<End, Fault> {
        let next = self.past_space(self.pos);
        let gap = self.slice(self.pos..next);
        let apart = match self.byte(next) {
            None | Some(b',' | b';' | b'}' | b']') => true,
            Some(b'/') => matches!(self.byte(next + 1), Some(b'/' | b'*')),
            Some(b'#') => next > self.pos,
            Some(_) => gap.contains('\n') || self.is_quote(next) || self.is_closing_mark(next),
        };
        if apart {
            return Ok(End::Whole);
        }
        let rest = self.bytes.iter().skip(start).take(SHOWN);
        let line = rest.take_while(|b| **b != b'\n').count();
        Err(Fault::new(UnreadableKind::BareValue, start, start + line))
    }
}

/// One word that can only be text. `yes` and `off` are truth values to YAML, so they are not plain.
fn is_plain(word: &str) -> bool {
    let truth =
        ["yes", "no", "on", "off", "y", "n", "t", "f", "true", "false", "null", "none", "nan", "infinity", "inf"];
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && !truth.iter().any(|t| word.eq_ignore_ascii_case(t))
}

//! The parts of JSON, one after the other, in a window: strings and numbers of any length, nothing held but their
//! beginning.

use crate::bytes::{before, between};
use crate::context::{at_line, fails};
use crate::feed::Feed;
use crate::sentinel::{SEARCHED_BYTES, Watch};
use crate::table::hash::{hash, mix};
use deed_model::ParseOutcome;
use std::io;

/// The longest number that is read.
const LONGEST_NUMBER: usize = 4_096;

/// The reason reading stopped.
pub(crate) enum Stop {
    Read(io::Error),
    Fault(ParseOutcome),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

pub(crate) type Step<T> = Result<T, Stop>;

/// Reads parts of JSON.
pub(crate) struct Tokens<'t, 'f, 's> {
    feed: &'t mut Feed<'f, 's>,
    watch: Watch,
    pub(crate) line: u64,
    line_start: u64,
    /// The last string without its escapes, or the last number; only the beginning of a long one.
    pub(crate) text: Vec<u8>,
    /// The hash of the whole string or number.
    pub(crate) hash: u64,
    /// True if `text` is only the beginning.
    pub(crate) is_cut: bool,
    /// True if it may contain a placeholder.
    pub(crate) watched: bool,
    block: Vec<u8>,
}

impl<'t, 'f, 's> Tokens<'t, 'f, 's> {
    pub(crate) fn new(feed: &'t mut Feed<'f, 's>, mut watch: Watch) -> Self {
        watch.see(feed.rest(), feed.offset());
        Self {
            feed,
            watch,
            line: 1,
            line_start: 0,
            text: Vec::new(),
            hash: 0,
            is_cut: false,
            watched: false,
            block: Vec::new(),
        }
    }

    fn more(&mut self) -> Step<()> {
        self.feed.more()?;
        self.watch.see(self.feed.rest(), self.feed.offset());
        Ok(())
    }

    /// Fails at the current place.
    pub(crate) fn fault<T>(&self, message: impl Into<String>) -> Step<T> {
        let offset = self.feed.offset();
        let mut place = at_line(self.line, offset.saturating_sub(self.line_start) + 1);
        place.offset = Some(offset);
        Err(Stop::Fault(fails(place, message)))
    }

    /// The next byte, which is not consumed.
    pub(crate) fn peek(&mut self) -> Step<Option<u8>> {
        while self.feed.rest().is_empty() && !self.feed.ended() {
            self.more()?;
        }
        Ok(self.feed.rest().first().copied())
    }

    /// The next byte after white space, which is consumed.
    pub(crate) fn peek_part(&mut self) -> Step<Option<u8>> {
        loop {
            let mut used = 0;
            for byte in self.feed.rest() {
                match byte {
                    b' ' | b'\t' | b'\r' => {}
                    b'\n' => {
                        self.line += 1;
                        self.line_start = self.feed.offset() + used as u64 + 1;
                    }
                    _ => break,
                }
                used += 1;
            }
            self.feed.consume(used);
            if !self.feed.rest().is_empty() || self.feed.ended() {
                return self.peek();
            }
            self.more()?;
        }
    }

    /// Consumes one byte.
    pub(crate) fn advance(&mut self) {
        self.feed.consume(1);
    }

    /// Consumes a byte that must come next, after white space.
    pub(crate) fn expect(&mut self, byte: u8, message: &str) -> Step<()> {
        if self.peek_part()? != Some(byte) {
            return self.fault(message);
        }
        self.advance();
        Ok(())
    }

    /// Consumes a word such as `true`.
    pub(crate) fn word(&mut self, word: &str) -> Step<()> {
        for byte in word.bytes() {
            if self.peek()? != Some(byte) {
                return self.fault("a value that is no JSON");
            }
            self.advance();
        }
        self.text.clear();
        self.text.extend_from_slice(word.as_bytes());
        self.hash = hash(word.as_bytes());
        Ok(())
    }

    /// Reads a number into `text`.
    pub(crate) fn number(&mut self) -> Step<()> {
        self.text.clear();
        while let Some(byte) = self.peek()? {
            if !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
                break;
            }
            if self.text.len() == LONGEST_NUMBER {
                return self.fault(format!("a number of more than {LONGEST_NUMBER} digits"));
            }
            self.text.push(byte);
            self.advance();
        }
        if !crate::table::value::is_number(&self.text) {
            return self.fault("a number that is not written as JSON has it");
        }
        self.is_cut = false;
        self.hash = hash(&self.text);
        Ok(())
    }

    /// Reads a string into `text`. The opening quote comes next.
    pub(crate) fn string(&mut self) -> Step<()> {
        let start = self.feed.offset();
        self.advance();
        self.text.clear();
        self.block.clear();
        (self.hash, self.is_cut) = (0, false);
        loop {
            self.plain_run()?;
            match self.peek()? {
                Some(b'"') => {
                    self.advance();
                    break;
                }
                Some(b'\\') => self.escape()?,
                Some(byte) if byte < 32 => return self.fault("a control character within a string"),
                Some(_) => {}
                None => return self.fault("a string is opened and never closed"),
            }
        }
        if self.is_cut {
            self.hash = mix(self.hash, hash(&self.block));
        } else {
            std::mem::swap(&mut self.text, &mut self.block);
            self.hash = hash(&self.text);
        }
        self.watched = self.watch.touches(start, self.feed.offset());
        Ok(())
    }

    /// Reads up to the next quote, escape or control character, or to the end of the window.
    fn plain_run(&mut self) -> Step<()> {
        let rest = self.feed.rest();
        let run = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        let run = before(rest, run);
        let run = run.iter().position(|byte| *byte < 32).and_then(|at| run.get(..at)).unwrap_or(run);
        let valid = match std::str::from_utf8(run) {
            Ok(_) => run.len(),
            // A character that the window cuts: the rest of it comes with more.
            Err(error) if error.error_len().is_none() && run.len() == rest.len() => error.valid_up_to(),
            Err(error) => {
                let valid = error.valid_up_to();
                self.feed.consume(valid);
                return self.fault("the bytes are not UTF-8");
            }
        };
        let starved = valid < run.len() || run.len() == rest.len();
        let mut taken = 0;
        while taken < valid {
            let room = SEARCHED_BYTES - self.block.len();
            let part = between(run, taken, valid.min(taken + room));
            self.block.extend_from_slice(part);
            taken += part.len();
            if self.block.len() == SEARCHED_BYTES {
                self.hash = mix(self.hash, hash(&self.block));
                if !self.is_cut {
                    self.text.clone_from(&self.block);
                }
                self.is_cut = true;
                self.block.clear();
            }
        }
        self.feed.consume(valid);
        if starved {
            if self.feed.ended() {
                let message = "a string is opened and never closed";
                return self.fault(if self.feed.rest().is_empty() { message } else { "the bytes are not UTF-8" });
            }
            self.more()?;
        }
        Ok(())
    }

    fn escape(&mut self) -> Step<()> {
        self.advance();
        let plain = match self.peek()? {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.code_point(),
            _ => return self.fault("an escape that JSON does not have"),
        };
        self.advance();
        self.push(&[plain]);
        Ok(())
    }

    fn code_point(&mut self) -> Step<()> {
        self.advance();
        let mut code = self.hex()?;
        if (0xd800..0xdc00).contains(&code) {
            let pair = self.peek()? == Some(b'\\') && {
                self.advance();
                self.peek()? == Some(b'u')
            };
            if !pair {
                return self.fault("an escape names half a character");
            }
            self.advance();
            let low = self.hex()?;
            if !(0xdc00..0xe000).contains(&low) {
                return self.fault("an escape names half a character");
            }
            code = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        let Some(character) = char::from_u32(code) else { return self.fault("an escape names half a character") };
        self.push(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn hex(&mut self) -> Step<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek()?.and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.fault("an escape without four digits");
            };
            self.advance();
            code = code * 16 + digit;
        }
        Ok(code)
    }

    fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.block.push(*byte);
            if self.block.len() == SEARCHED_BYTES {
                self.hash = mix(self.hash, hash(&self.block));
                if !self.is_cut {
                    self.text.clone_from(&self.block);
                }
                self.is_cut = true;
                self.block.clear();
            }
        }
    }
}

//! Classes of characters: text, and the kinds that can hide text or reverse its direction.

/// The kinds of characters that are not left as they are, and those that need a look at their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharClass {
    /// Shown as it is read.
    Plain,
    /// Turns the direction of what is shown, so that a reader and a model see different texts.
    Bidi,
    /// A control that no text needs, or a line separator that only some programs know.
    Control,
    /// Shown as nothing, and read by a model all the same.
    Invisible,
    /// ZWJ or ZWNJ: shown as nothing, and needed inside emoji and many scripts.
    Joiner,
    /// A variation selector: shown as nothing, and needed after emoji and some ideographs.
    Selector,
}

impl CharClass {
    /// The class of a character.
    pub fn of(c: char) -> Self {
        match c {
            '\n' | '\t' | ' '..='~' => Self::Plain,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Self::Control,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Self::Bidi,
            '\u{200c}' | '\u{200d}' => Self::Joiner,
            '\u{fe00}'..='\u{fe0f}' => Self::Selector,
            _ if is_invisible(c) => Self::Invisible,
            _ => Self::Plain,
        }
    }
}

/// Returns true if nothing is shown for the character: default-ignorable code points, fillers, tags,
/// annotation marks, and the noncharacters, which never stand for text.
fn is_invisible(c: char) -> bool {
    match c {
        // Soft hyphen, grapheme joiner, Hangul fillers, Khmer inherent vowels, Mongolian selectors.
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => true,
        // Zero-width space, word joiner, invisible operators, deprecated format characters.
        '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' => true,
        // Unassigned but ignorable already, then interlinear annotation.
        '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' => true,
        // Khitan filler, shorthand format controls, beams and slurs of music.
        '\u{16fe4}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Tags and the supplementary variation selectors.
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => u32::from(c) & 0xfffe == 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(class: CharClass, characters: &[u32]) {
        for code in characters {
            assert_eq!(CharClass::of(char::from_u32(*code).unwrap()), class, "U+{code:04X}");
        }
    }

    #[test]
    fn knows_the_edges_of_every_class() {
        check(CharClass::Plain, &[0x09, 0x0a, 0x20, 0x7e, 0xa0, 0xae, 0x0e01, 0x200a, 0x2010, 0x202f, 0x2070, 0x3000]);
        check(CharClass::Plain, &[0x180a, 0x1810, 0xfe10, 0xfffc, 0xfffd, 0x1_f600, 0x1d17b, 0xe1000, 0x10fffd]);
        check(CharClass::Control, &[0x00, 0x0b, 0x0d, 0x1f, 0x7f, 0x80, 0x9f, 0x2028, 0x2029]);
        check(CharClass::Bidi, &[0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069]);
        check(CharClass::Joiner, &[0x200c, 0x200d]);
        check(CharClass::Selector, &[0xfe00, 0xfe0f]);
        check(CharClass::Invisible, &[0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x200b]);
        check(CharClass::Invisible, &[0x2060, 0x2065, 0x206a, 0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff0, 0xfffb]);
        check(CharClass::Invisible, &[0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0000, 0xe0001, 0xe007f, 0xe01ef, 0xe0fff]);
        check(CharClass::Invisible, &[0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1_fffe, 0x10_ffff]);
    }
}

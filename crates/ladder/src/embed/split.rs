//! A name as words: whatever case style it is written in, the same words come out, in lower case and without accents.

/// Longer names are read up to here; no field name that means something is longer.
pub(super) const LONGEST: usize = 256;

/// The words of a name: cut at punctuation, at changes of case and between letters and digits.
pub(crate) fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().take(LONGEST).filter(|c| !is_silent(*c)).collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, current) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let after = (chars.get(at + 1), chars.get(at + 2));
        if !current.is_alphanumeric() || before.is_some_and(|before| is_cut(*before, *current, after)) {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if current.is_alphanumeric() {
            fold(*current, &mut word);
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    if words.is_empty() {
        words.extend(Some(text.chars().take(LONGEST).collect()).filter(|text: &String| !text.is_empty()));
    }
    words
}

/// Combining marks, joiners and apostrophes neither count nor cut.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{fe0f}' | '\'' | '’')
}

fn is_cut(before: char, current: char, (next, second): (Option<&char>, Option<&char>)) -> bool {
    if before.is_numeric() != current.is_numeric() {
        return before.is_alphanumeric();
    }
    if !current.is_uppercase() {
        return false;
    }
    // `userIDs` keeps its plural; `HTTPStatus` is cut before the last capital.
    let plural = next == Some(&'s') && !second.is_some_and(|c| c.is_lowercase());
    before.is_lowercase() || (before.is_uppercase() && next.is_some_and(|c| c.is_lowercase()) && !plural)
}

fn fold(c: char, word: &mut String) {
    for c in c.to_lowercase().filter(|c| !is_silent(*c)) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => word.push('a'),
            'æ' => word.push_str("ae"),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => word.push('c'),
            'ď' | 'đ' | 'ð' => word.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => word.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => word.push('g'),
            'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => word.push('i'),
            'ł' | 'ĺ' | 'ļ' | 'ľ' => word.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => word.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => word.push('o'),
            'œ' => word.push_str("oe"),
            'ŕ' | 'ŗ' | 'ř' => word.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => word.push('s'),
            'ß' => word.push_str("ss"),
            'ţ' | 'ť' | 'ț' => word.push('t'),
            'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => word.push('u'),
            'ý' | 'ÿ' => word.push('y'),
            'ź' | 'ż' | 'ž' => word.push('z'),
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text:?}");
    }

    #[test]
    fn every_case_style_gives_the_same_words() {
        for name in
            ["customerId", "CustomerId", "customer_id", "customer-id", "CUSTOMER_ID", "customer.id", "CustomerID"]
        {
            check(name, "customer id");
        }
        check("HTTPStatus", "http status");
        check("userIDs", "user ids");
        check("userIDsOld", "user ids old");
        check("address_line_2", "address line 2");
        check("line1", "line 1");
        check("customer's e-mail", "customers e mail");
    }

    #[test]
    fn any_text_has_words() {
        check("", "");
        check("🎉", "🎉");
        check("__", "__");
        check("Größe", "grosse");
        check("pre\u{301}nom", "prenom");
        check("İd", "id");
        check("שם_לקוח", "שם לקוח");
        check("42", "42");
        assert_eq!(words(&"a_".repeat(1 << 20)).len(), LONGEST / 2);
    }
}

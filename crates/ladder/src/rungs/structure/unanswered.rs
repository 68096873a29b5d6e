//! Texts that a model writes where it has no value: a refusal, an error of a spreadsheet or of a program, a pointer to
//! some other place, `???`, a number of which digits are missing, text that was not decoded; and list items that only say
//! that there are more.
//!
//! Each of them is text, so that a schema which asks for text allows it. None of them is an answer.

use crate::embed::words;

/// The longest text that is looked at: what is longer tells a story.
const LONGEST: usize = 300;
/// The shortest run of crosses, stars or question marks that stands for characters.
const SHORTEST_RUN: usize = 3;

/// The reason why a text is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// `I'm sorry, but I cannot assist with that request.`
    Refusal,
    /// `???`, `1912-??-??`, `+1-555-XXX-XXXX`, `東京都○○区`.
    Gap,
    /// `[object Object]`, `#REF!`.
    Fault,
    /// `(see attached file)`, `same as above`.
    Elsewhere,
    /// Text with U+FFFD, the sign for bytes that could not be decoded.
    Undecoded,
    /// `e3b0c44298fc...b855`.
    Shortened,
    /// `usw.`, `y otros 6 más`: an item of a list that stands for others.
    AndSoOn,
}

/// The kinds of fields that may hold one of them.
const HOLDS_SPEECH: [&str; 40] = [
    "question",
    "questions",
    "prompt",
    "instruction",
    "instructions",
    "request",
    "step",
    "action",
    "task",
    "label",
    "message",
    "messages",
    "quote",
    "quotes",
    "quoted",
    "transcript",
    "utterance",
    "reply",
    "response",
    "body",
    "text",
    "comment",
    "comments",
    "line",
    "lines",
    "dialogue",
    "dialog",
    "review",
    "said",
    "speech",
    "lyrics",
    "excerpt",
    "verbatim",
    "chat",
    "turn",
    "email",
    "subject",
    "refusal",
    "apology",
    "sentence",
];
const HOLDS_FAULTS: [&str; 14] = [
    "error", "errors", "log", "logs", "output", "stdout", "stderr", "message", "messages", "formula", "cell", "text",
    "raw", "debug",
];
const HOLDS_GAPS: [&str; 16] = [
    "pattern",
    "format",
    "mask",
    "masked",
    "template",
    "example",
    "regex",
    "approximate",
    "uncertain",
    "partial",
    "puzzle",
    "clue",
    "word",
    "symbol",
    "range",
    "series",
];
const HOLDS_POINTERS: [&str; 10] =
    ["note", "notes", "comment", "comments", "remark", "remarks", "reference", "references", "see", "source"];
const HOLDS_RAW: [&str; 6] = ["raw", "bytes", "encoding", "undecoded", "corrupt", "mojibake"];
const HOLDS_RANGES: [&str; 12] = [
    "range",
    "compare",
    "comparison",
    "diff",
    "display",
    "short",
    "shortened",
    "abbreviated",
    "fingerprint",
    "preview",
    "label",
    "truncated",
];

/// Openings of a sentence in which the writer speaks of what was not done.
const OPENINGS: [&str; 9] = [
    "i'm sorry, but i ",
    "i am sorry, but i ",
    "i'm sorry, i ",
    "i am sorry, i ",
    "sorry, but i ",
    "sorry, i ",
    "i apologize, but i ",
    "unfortunately, i ",
    "i ",
];

/// Words that say so.
const REFUSES: [&str; 14] = [
    "was unable to",
    "was not able to",
    "cannot",
    "can't",
    "can not",
    "am unable to",
    "am not able to",
    "am not allowed to",
    "won't be able to",
    "could not",
    "couldn't",
    "don't have access to",
    "do not have access to",
    "'m unable to",
];

/// What was not done.
const WHAT: [&str; 36] = [
    "assist",
    "help",
    "comply",
    "provide",
    "see",
    "view",
    "access",
    "open",
    "read",
    "determine",
    "process",
    "fulfil",
    "fulfill",
    "complete",
    "answer",
    "identify",
    "extract",
    "find",
    "generate",
    "create",
    "browse",
    "display",
    "verify",
    "give",
    "share",
    "the",
    "your",
    "that",
    "this",
    "any",
    "real-time",
    "images",
    "files",
    "external",
    "continue",
    "analyze",
];

/// How refusals are worded in a language other than English: how they begin, the words for "cannot", and the stems of what
/// a writer of answers does.
struct Worded {
    opens: &'static [&'static str],
    cannot: &'static [&'static str],
    /// Words that deny, where those for "cannot" do not.
    denies: &'static [&'static str],
    what: &'static [&'static str],
}

const FOREIGN_REFUSALS: [Worded; 10] = [
    Worded {
        opens: &["lo siento", "lamento", "lamentablemente", "disculpe", "disculpa"],
        cannot: &["no puedo", "no me es posible", "no soy capaz de", "no tengo acceso"],
        denies: &[],
        what: &[
            "respond",
            "contest",
            "ayud",
            "acced",
            "acceso",
            "abrir",
            "leer",
            "proporcion",
            "proces",
            "determin",
            "extra",
            "cumpl",
        ],
    },
    Worded {
        opens: &["es tut mir leid", "tut mir leid", "leider", "entschuldigung"],
        cannot: &["kann ich", "ich kann", "ich habe keinen", "habe ich keinen"],
        denies: &["nicht", "kein"],
        what: &[
            "beantwort",
            "helfen",
            "öffnen",
            "lesen",
            "zugreif",
            "zugriff",
            "ermittel",
            "verarbeit",
            "bereitstell",
            "ausfüll",
        ],
    },
    Worded {
        opens: &["désolé", "je suis désolé", "je regrette", "malheureusement"],
        cannot: &["je ne peux pas", "je ne suis pas en mesure", "je n'ai pas accès", "je ne peux"],
        denies: &[],
        what: &["répond", "aider", "ouvrir", "lire", "accéd", "accès", "fourn", "trait", "détermin", "extra"],
    },
    Worded {
        opens: &["mi dispiace", "spiacente", "purtroppo", "sono spiacente"],
        cannot: &["non posso", "non sono in grado", "non ho accesso"],
        denies: &[],
        what: &["rispond", "aiut", "aprire", "legg", "acced", "accesso", "forn", "elabor", "determin", "estra"],
    },
    Worded {
        opens: &["desculpe", "sinto muito", "lamento", "infelizmente"],
        cannot: &["não posso", "não consigo", "não tenho acesso", "não sou capaz"],
        denies: &[],
        what: &["respond", "ajud", "abrir", "ler", "acess", "fornec", "process", "determin", "extra"],
    },
    Worded {
        opens: &["het spijt me", "sorry", "helaas"],
        cannot: &["ik kan", "kan ik", "ik heb geen toegang", "heb ik geen toegang"],
        denies: &["niet", "geen"],
        what: &["beantwoord", "helpen", "openen", "lezen", "toegang", "verwerk", "bepalen"],
    },
    Worded {
        opens: &["przykro mi", "przepraszam", "niestety"],
        cannot: &["nie mogę", "nie jestem w stanie", "nie mam dostępu"],
        denies: &[],
        what: &["odpowiedzieć", "pomóc", "otworzyć", "odczytać", "dostęp", "udziel", "przetworzyć", "określić"],
    },
    Worded {
        opens: &["извините", "к сожалению", "простите"],
        cannot: &["не могу", "не имею доступа", "у меня нет доступа"],
        denies: &[],
        what: &["ответить", "помочь", "открыть", "прочитать", "доступ", "предоставить", "обработать", "определить"],
    },
    Worded {
        opens: &["申し訳", "すみません", "恐れ入りますが"],
        cannot: &["できません", "できかねます", "わかりません"],
        denies: &[],
        what: &["回答", "お答え", "対応", "提供", "開", "読", "アクセス", "処理", "判断"],
    },
    Worded {
        opens: &["抱歉", "对不起", "很抱歉", "不好意思"],
        cannot: &["无法", "不能"],
        denies: &[],
        what: &["回答", "提供", "帮助", "访问", "打开", "读取", "处理", "确定"],
    },
];

/// Words that stand for others, in many languages.
const CLOSES: [&str; 58] = [
    "etc",
    "et cetera",
    "etcetera",
    "and so on",
    "and so forth",
    "and more",
    "and others",
    "and many more",
    "and many others",
    "among others",
    "more",
    "usw",
    "u s w",
    "und so weiter",
    "und weitere",
    "und andere",
    "u a",
    "ecc",
    "eccetera",
    "e altri",
    "e così via",
    "etcétera",
    "y así sucesivamente",
    "y otros",
    "y más",
    "entre otros",
    "et autres",
    "et ainsi de suite",
    "entre autres",
    "e outros",
    "e assim por diante",
    "entre outros",
    "enz",
    "enzovoort",
    "en anderen",
    "itd",
    "i tak dalej",
    "i inne",
    "itp",
    "osv",
    "och så vidare",
    "m m",
    "m fl",
    "og så videre",
    "ja niin edelleen",
    "jne",
    "vb",
    "ve benzeri",
    "и т д",
    "и так далее",
    "и др",
    "и другие",
    "та інші",
    "など",
    "等",
    "等等",
    "등",
    "وغيرها",
];

/// Words that add a count of others to a list.
const CONJUNCTIONS: [&str; 12] = ["and", "und", "et", "y", "e", "en", "och", "og", "и", "i", "plus", "ve"];

/// Words for what a count leaves out.
const MORE: [&str; 34] = [
    "more",
    "others",
    "other",
    "additional",
    "further",
    "remaining",
    "weitere",
    "andere",
    "más",
    "otros",
    "otras",
    "autres",
    "autre",
    "plus",
    "altri",
    "altre",
    "outros",
    "outras",
    "mais",
    "meer",
    "fler",
    "andra",
    "другие",
    "других",
    "ещё",
    "еще",
    "innych",
    "inne",
    "więcej",
    "daha",
    "others...",
    "ulteriori",
    "demás",
    "anderen",
];

/// Words that say of the others that they come, or are alike: `(weitere Kapitel analog)`.
const FOLLOWS: [&str; 16] = [
    "analog",
    "ebenso",
    "entsprechend",
    "folgen",
    "folgt",
    "follow",
    "similar",
    "likewise",
    "suivre",
    "suivent",
    "similaires",
    "siguen",
    "similares",
    "seguono",
    "seguem",
    "volgen",
];

impl Unanswered {
    /// The words of a name or description that let a field hold such a text.
    pub(super) fn is_wanted_by(self, word: &str) -> bool {
        let list: &[&str] = match self {
            Self::Refusal => &HOLDS_SPEECH,
            Self::Gap => &HOLDS_GAPS,
            Self::Fault => &HOLDS_FAULTS,
            Self::Elsewhere => &HOLDS_POINTERS,
            Self::Undecoded => &HOLDS_RAW,
            Self::Shortened => &HOLDS_RANGES,
            Self::AndSoOn => &[],
        };
        list.contains(&word)
    }

    /// The beginning of the message about such a text.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Refusal => "the value refuses to answer",
            Self::Gap => "characters of the value are left open",
            Self::Fault => "the value is the sign of an error",
            Self::Elsewhere => "the value is said to stand elsewhere",
            Self::Undecoded => "the value has characters that were not decoded",
            Self::Shortened => "the value is shortened",
            Self::AndSoOn => "the list has an item that stands for others",
        }
    }
}

/// The reason why a text is no value, if it is none. An item of a list may also stand for others.
pub(super) fn unanswered(text: &str, is_item: bool) -> Option<Unanswered> {
    let whole = text.trim();
    if whole.contains('\u{fffd}') {
        return Some(Unanswered::Undecoded);
    }
    if whole.is_empty() || whole.len() > LONGEST {
        return None;
    }
    let lower = whole.replace('’', "'").to_lowercase();
    let tests: [(bool, Unanswered); 6] = [
        (is_gap(whole), Unanswered::Gap),
        (is_fault(whole), Unanswered::Fault),
        (is_shortened(whole), Unanswered::Shortened),
        (is_elsewhere(&lower), Unanswered::Elsewhere),
        (is_refusal(&lower) || asks(&lower), Unanswered::Refusal),
        (is_item && is_and_so_on(&lower), Unanswered::AndSoOn),
    ];
    tests.iter().find(|(is_it, _)| *is_it).map(|(_, reason)| *reason)
}

/// `???`, a date with question marks for digits, a number that ends in crosses or stars, circles for characters. A number of
/// which the end is left is how sources print it: `**** 4242`.
fn is_gap(whole: &str) -> bool {
    let is_between = |c: char| matches!(c, ' ' | '-' | '.' | '/' | ':' | '+' | '(' | ')');
    let questions = whole.matches('?').count();
    let asked = questions >= 2 && whole.chars().all(|c| c == '?' || c.is_ascii_digit() || is_between(c));
    let circled = ["○○", "〇〇", "△△", "××", "◯◯"].iter().any(|sign| whole.contains(sign));
    asked || circled || is_open_number(whole, is_between)
}

fn is_open_number(whole: &str, is_between: impl Fn(char) -> bool) -> bool {
    let is_sign = |c: char| matches!(c, 'X' | 'x' | '*' | '•' | '●');
    let groups: Vec<&str> = whole.split(&is_between).filter(|group| !group.is_empty()).collect();
    let Some((last, before)) = groups.split_last() else { return false };
    let is_signs = |group: &&&str| group.chars().all(is_sign);
    // Short groups of signs at the end are a run together: `+41 81 XXX XX XX`.
    let signs: usize = groups.iter().rev().take_while(is_signs).map(|group| group.chars().count()).sum();
    let is_run = signs >= SHORTEST_RUN && last.chars().all(is_sign);
    let is_number = |group: &&str| group.chars().all(|c| c.is_ascii_digit() || is_sign(c));
    let has_digit = before.iter().any(|group| group.contains(|c: char| c.is_ascii_digit()));
    // `PO-XXXXX`
    let is_prefix = |group: &&str| group.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let coded = last.len() > SHORTEST_RUN && last.bytes().all(|byte| byte == b'X') && whole.contains(['-', '/', '#']);
    // An account number of which country and check digits are left: `NL91 XXXX XXXX XXXX XX`.
    let is_country = |group: &str| {
        group.len() == 4
            && group.bytes().enumerate().all(|(at, b)| if at < 2 { b.is_ascii_uppercase() } else { b.is_ascii_digit() })
    };
    let all_signs = before
        .split_first()
        .is_some_and(|(first, middle)| is_country(first) && middle.iter().all(|group| is_signs(&group)));
    if all_signs && signs > 2 * SHORTEST_RUN {
        return true;
    }
    is_run && (has_digit && before.iter().all(is_number) || coded && !before.is_empty() && before.iter().all(is_prefix))
}

/// What programs print in the place of a value that they could not compute or write.
fn is_fault(whole: &str) -> bool {
    const SHEET: [&str; 9] = ["#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#ERROR!", "#SPILL!"];
    const PRINTED: [&str; 5] =
        ["[object Object]", "[object Undefined]", "[object Null]", "System.Object", "System.Object[]"];
    let address = whole.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    SHEET.contains(&whole)
        || PRINTED.contains(&whole)
        || address.is_some_and(|inner| inner.contains(" object at 0x") || inner.contains(" at 0x7"))
}

/// A digest or key of which the middle is left out. Words with dots between them are speech, and numbers are a range.
fn is_shortened(whole: &str) -> bool {
    const SHORTEST_SIDE: usize = 3;
    const SHORTEST: usize = 8;
    if whole.contains(char::is_whitespace) {
        return false;
    }
    let Some((head, tail)) = whole.split_once("...").or_else(|| whole.split_once('…')) else { return false };
    let is_code = |part: &str| part.len() >= SHORTEST_SIDE && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let both = |is: fn(&u8) -> bool| head.bytes().chain(tail.bytes()).any(|byte| is(&byte));
    let head = head.rsplit([':', '/', '-', '_']).next().unwrap_or(head);
    is_code(head)
        && is_code(tail)
        && head.len() + tail.len() >= SHORTEST
        && both(u8::is_ascii_digit)
        && both(u8::is_ascii_alphabetic)
}

/// A note in brackets that the value is in some other place, or words that repeat another value.
fn is_elsewhere(lower: &str) -> bool {
    const VERBS: [&str; 12] =
        ["see", "refer", "siehe", "voir", "ver", "véase", "vedi", "zie", "attached", "provided", "same", "as"];
    const PLACES: [&str; 30] = [
        "attached",
        "attachment",
        "above",
        "below",
        "file",
        "appendix",
        "annex",
        "document",
        "separately",
        "elsewhere",
        "next",
        "previous",
        "page",
        "oben",
        "unten",
        "anhang",
        "anlage",
        "annexe",
        "ci-dessus",
        "ci-joint",
        "arriba",
        "abajo",
        "adjunto",
        "anexo",
        "allegato",
        "sopra",
        "bijlage",
        "hierboven",
        "earlier",
        "original",
    ];
    const REPEATS: [&str; 10] = [
        "same as above",
        "see above",
        "as above",
        "same as previous",
        "ditto",
        "siehe oben",
        "voir ci-dessus",
        "ver arriba",
        "idem",
        "vedi sopra",
    ];
    const MOST_WORDS: usize = 6;
    let pairs = [('(', ')'), ('[', ']'), ('<', '>')];
    let inner = pairs.iter().find_map(|(open, close)| lower.strip_prefix(*open)?.strip_suffix(*close));
    let points = |inner: &str| {
        let said: Vec<&str> = inner.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let begins = said.first().is_some_and(|first| VERBS.contains(first));
        begins && said.len() <= MOST_WORDS && said.iter().skip(1).any(|word| PLACES.contains(word))
    };
    inner.is_some_and(points) || REPEATS.contains(&lower.trim_end_matches('.'))
}

/// A sentence in which the writer says that it does not answer.
fn is_refusal(lower: &str) -> bool {
    if ["as an ai ", "as a language model", "as an artificial intelligence", "my knowledge cutoff", "my training data"]
        .iter()
        .any(|begin| lower.starts_with(begin))
    {
        return true;
    }
    if FOREIGN_REFUSALS.iter().any(|worded| worded.refuses(lower)) {
        return true;
    }
    let lower = lower.replace("i'm unable", "i am unable").replace("i'm not able", "i am not able");
    OPENINGS.iter().any(|opening| {
        let Some(said) = lower.strip_prefix(opening) else { return false };
        REFUSES.iter().any(|refuses| {
            let rest = said.strip_prefix(refuses).and_then(|rest| rest.strip_prefix(' '));
            let first = rest.and_then(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).next());
            first.is_some_and(|first| WHAT.contains(&first))
        })
    })
}

impl Worded {
    /// Whether a text says in this language that the writer does not answer.
    fn refuses(&self, lower: &str) -> bool {
        let begins = self.opens.iter().chain(self.cannot).any(|opening| lower.starts_with(opening));
        let denied = self.denies.is_empty() || self.denies.iter().any(|word| lower.contains(word));
        begins && denied && self.cannot.iter().any(|words| lower.contains(words)) && self.names_work(lower)
    }

    /// Whether a word begins with what a writer of answers does. Scripts without blanks have it anywhere.
    fn names_work(&self, lower: &str) -> bool {
        let words = lower.split(|c: char| !c.is_alphanumeric());
        self.what.iter().any(|stem| match stem.chars().all(|c| c as u32 > 0x2fff) {
            true => lower.contains(stem),
            false => words.clone().any(|word| word.starts_with(stem)),
        })
    }
}

/// A question to the reader, or a demand for what is missing: `Please provide the order number.`
fn asks(lower: &str) -> bool {
    const DEMANDS: [&str; 10] =
        ["provide", "specify", "clarify", "share", "upload", "attach", "paste", "supply", "resend", "tell"];
    const ASKS: [&str; 4] = ["could", "can", "would", "will"];
    let words: Vec<&str> = lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        ["please", verb, _, ..] => DEMANDS.contains(verb),
        [can, "you", "please", verb, ..] | [can, "you", verb, ..] => {
            ASKS.contains(can) && lower.contains('?') && (DEMANDS.contains(verb) || *verb == "confirm")
        }
        _ => false,
    }
}

/// `etc.`, `usw.`, `и т. д.`; or a count of what is left out: `y otros 6 ingredientes más`, `und 3 weitere`.
fn is_and_so_on(lower: &str) -> bool {
    const MOST_WORDS: usize = 7;
    let said: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined = said.join(" ");
    let counted = || {
        let begins =
            said.first().is_some_and(|first| CONJUNCTIONS.contains(first)) || lower.starts_with(['+', '…', '.']);
        let number = said.iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        begins && number && said.len() <= MOST_WORDS && said.iter().any(|word| MORE.contains(word))
    };
    let follow = || {
        let (first, last) = (said.first(), said.last());
        let others = first.is_some_and(|word| MORE.contains(word));
        others && said.len() <= MOST_WORDS && last.is_some_and(|word| FOLLOWS.contains(word))
    };
    CLOSES.contains(&joined.as_str()) || counted() || follow()
}

/// Whether words demand all of a value, so that one which shows a part of it is none.
pub(super) fn demands_all(description: &str) -> bool {
    const ALL: [&str; 6] = ["full", "complete", "entire", "whole", "unmasked", "unredacted"];
    words(description).iter().any(|word| ALL.contains(&word.to_lowercase().as_str()))
}

/// Whether signs of a mask stand between characters that are left: `4532 **** **** 7710`.
pub(super) fn is_partly_masked(whole: &str) -> bool {
    let signs = |c: char| matches!(c, '*' | '•' | '●' | 'X' | 'x');
    let mut groups = whole.split([' ', '-', '.', '/']);
    whole.contains(|c: char| c.is_ascii_digit())
        && groups.any(|group| group.chars().count() >= SHORTEST_RUN && group.chars().all(signs))
}

#[cfg(test)]
mod tests {
    use super::{Unanswered, unanswered};

    #[test]
    fn texts_without_an_answer_are_told_from_answers() {
        use Unanswered::{AndSoOn, Elsewhere, Fault, Gap, Refusal, Shortened, Undecoded};
        for (text, reason) in [
            ("I'm sorry, but I cannot assist with that request.", Refusal),
            ("I am unable to see the image you mention; please upload it again.", Refusal),
            ("As an AI language model, I have no opinion.", Refusal),
            ("I can’t access external links.", Refusal),
            ("I'm sorry, but I was unable to open the article you linked, so I cannot summarise it.", Refusal),
            ("Could you tell me which customer you mean? There are three in the thread.", Refusal),
            ("Please provide the order number.", Refusal),
            ("Lo siento, no puedo responder a esa pregunta con la información disponible.", Refusal),
            ("Es tut mir leid, aber ich kann diese Frage nicht beantworten.", Refusal),
            ("Je suis désolé, je ne peux pas ouvrir ce fichier.", Refusal),
            ("Mi dispiace, non posso rispondere a questa domanda.", Refusal),
            ("Desculpe, não consigo acessar o documento.", Refusal),
            ("Het spijt me, ik kan deze vraag niet beantwoorden.", Refusal),
            ("Przykro mi, nie mogę odpowiedzieć na to pytanie.", Refusal),
            ("К сожалению, я не могу открыть файл.", Refusal),
            ("申し訳ありませんが、その質問にはお答えできません。", Refusal),
            ("抱歉，我无法回答这个问题。", Refusal),
            ("???", Gap),
            ("1912-??-??", Gap),
            ("+1-555-XXX-XXXX", Gap),
            ("03-XXXX-XXXX", Gap),
            ("NL91 XXXX XXXX XXXX XX", Gap),
            ("PO-XXXXX", Gap),
            ("東京都○○区○○1-2-3", Gap),
            ("[object Object]", Fault),
            ("#REF!", Fault),
            ("<__main__.Order object at 0x7f3a>", Fault),
            ("(see attached file)", Elsewhere),
            ("[siehe Anhang]", Elsewhere),
            ("Same as above", Elsewhere),
            ("M\u{fffd}rta", Undecoded),
            ("e3b0c44298fc...b855", Shortened),
            ("sha256:e3b0c442…b855", Shortened),
            ("usw.", AndSoOn),
            ("и т. д.", AndSoOn),
            ("y otros 6 ingredientes más", AndSoOn),
            ("und 3 weitere", AndSoOn),
            ("など", AndSoOn),
            ("(weitere Kapitel analog)", AndSoOn),
            ("(autres chapitres à suivre)", AndSoOn),
        ] {
            assert_eq!(unanswered(text, true), Some(reason), "{text}");
        }
        for text in [
            "I cannot recommend this hotel enough.",
            "I can't stop laughing",
            "Sorry, I was late",
            "Lo siento mucho",
            "Leider kann ich erst morgen helfen",
            "Malheureusement, le colis est abîmé.",
            "Sorry, ik kan morgen helpen",
            "抱歉让您久等了",
            "Weitere Aussichten",
            "NL91 ABNA 0417 1643 00",
            "Please Please Me",
            "Can You Feel the Love Tonight?",
            "What?",
            "Really??",
            "1912-04-10",
            "**** 4242",
            "XXX-XX-1234",
            "Malcolm X",
            "Size XXXL",
            "see attached invoice",
            "(See No Evil)",
            "(as told by his brother)",
            "v1.2.0...v1.3.0",
            "main...feature",
            "1...20",
            "Wait...what",
            "so-and-so",
            "More London",
            "and 3 Doors Down",
            "e",
            "",
        ] {
            assert_eq!(unanswered(text, true), None, "{text}");
        }
        assert_eq!(unanswered("usw.", false), None);
    }
}

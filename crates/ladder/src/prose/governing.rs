//! The clauses that govern a payload: the one that leads to it and the sentences that follow it.
//!
//! What enters is the prose directly before and after a payload. What leaves is the words that say that the payload is
//! not the answer: they forbid it, call it wrong, an example, a template or a draft, quote a prompt, withdraw or correct
//! it, or say that the answer is not known. Reasoning blocks, other values and blocks of code are not prose.
//!
//! Only the last clause before a payload governs it: `That was wrong, so here is the JSON:` leads with `here is the
//! JSON`. A word that stands anywhere else in the text says nothing of the payload.

use super::pattern::{first_match, matched, words_of};

/// The prose directly around a payload.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'t> {
    /// The prose that leads to the payload.
    pub(crate) before: &'t str,
    /// The prose behind it.
    pub(crate) after: &'t str,
    /// The payload continues the line of the prose before it.
    pub(crate) inline: bool,
}

/// More of the prose before a payload is not read.
const LONGEST_LEAD: usize = 600;
/// More of the prose behind a payload is not read.
const LONGEST_TAIL: usize = 4_000;

/// The labels of whoever asks, in a transcript.
const ASKING_ROLES: [&str; 6] = ["user", "human", "system", "prompt", "instruction", "instructions"];

/// Words that begin a clause of its own behind a comma or dash.
const CLAUSE_STARTS: [&str; 12] =
    ["so", "here", "here's", "therefore", "thus", "hence", "then", "but", "below", "i've", "please", "and"];

/// Phrases that say nothing of a payload although they hold a word of a pattern below.
const NEUTRAL: &[&str] = &[
    "in|to|with|per|following the|your requested|required|given|right|correct|specified|expected|desired|proper|same|json format|schema|template|structure|form",
    "format|schema|template|structure|form you|we|i asked|requested|gave|provided|specified|described|wanted|need|needed",
    "requested|specified|desired format|schema|template|structure|form",
    "format|schema|template|structure requested|specified|given|provided",
    "in|as json|yaml|object format|form|notation|representation",
    "as json|yaml|object",
    "filled|completed|filled out|in template|form",
    "filled|completed template|form",
    "template|form is|was filled|completed|done",
    "if i understand|understood|read|am|remember|recall",
    "if it helps|useful",
    "not only",
    "without|no invalid|wrong|incorrect",
];

/// Lead-ins that quote a payload, where their sentence is not finished before it.
const QUOTES: &[&str] = &[
    "you|they|he|she|someone|somebody|client|customer|user|email|message|text|prompt * said|wrote|suggested|proposed|claimed|claims|suggests|asked|told",
    "telling|asking|instructing|ordering|urging me|us|you to",
];

/// Lead-ins that announce the answer, whatever else they say.
const ANNOUNCES: &[&str] = &[
    "corrected|fixed|updated|revised|final|amended|improved|repaired|valid|correct|right|actual|new|proper answer|version|json|output|object|result|response|one|payload|record|values|data|reply|entry|config|configuration$",
    "corrected|fixed|updated|revised|amended below|as|is$",
    "corrected|fixed|revised|updated version|json|answer|output|object below",
];

/// Lead-ins that offer a payload: `Here is …`.
const OFFERS: &[&str] = &[
    "^here|here's|heres|below|attached|this|these|following|there",
    "^i've|i have|created|extracted|prepared|made|filled|put",
];

/// Lead-ins that say that the payload is not the answer, although they offer it.
const OFFERED_LEADS: &[&str] = &[
    "might|may|could|can|would * look|return|answer|respond|reply|have",
    "example|sample|template|dummy|mock|hypothetical|fictional|skeleton|illustrative * format|schema|structure|template|placeholder|placeholders|output|response|answer|look|looks|what|how|only|purposes|json|you",
    "what|how * look|looks|return|returns",
    "template|placeholder|placeholders|dummy|mock|fictional|fictitious|hypothetical|illustrative|skeleton|made",
    "wrong|incorrect|invalid|bad|faulty|malformed|broken|old|older|previous|former|earlier|outdated|obsolete|deprecated|superseded|withdrawn|retracted|stale|original|initial|rejected|discarded|rough|draft answer|response|json|output|object|value|values|result|example|reply|version|one|payload|way|record|config|configuration|manifest|draft|attempt|state|settings|data",
    "not * do|return|answer|use|send|write|want|correct|right|valid|acceptable",
    "mistake|wrong|incorrect * would|is|be|answer",
    "format|schema|template|structure is|looks|to|for|of|expected",
    "expected|required|output|response format|schema|template|structure|shape",
];

/// Lead-ins that say that the payload is not the answer.
const LEADS: &[&str] = &[
    // Prohibitions and negations.
    "no circumstances",
    "^do not",
    "^don't|never",
    "never|don't|cannot|can't|mustn't|shouldn't|won't|wouldn't * return|answer|reply|respond|output|send|use|write|produce|emit|submit|say|put|accept|set|generate|pass|choose|pick|call|post|store|save|apply|commit|treat|suggest|recommend|propose|do",
    "must|should|do|may|can|shall|will|would not|never * return|answer|reply|respond|output|send|use|write|produce|emit|submit|say|put|accept|set|generate|pass|choose|pick|call|post|store|save|apply|commit|treat|suggest|recommend|propose|do",
    "never|don't|cannot|can't|mustn't|shouldn't|not * return|answer|output|send|use|write|produce|emit|submit|accept|be|set|call$",
    "avoid|avoids|avoiding|forbidden|prohibited|disallowed|banned|refrain",
    "instead of|rather$",
    "instead of$",
    "rather than$",
    "not|isn't|wasn't|aren't|except|unlike$",
    "anything but$",
    // Falsehoods.
    "mistake|mistakes|wrong|incorrect|invalid|bad|false|error * would|is|was|be|to|answer|response|json|output|object|value|values|result|example|reply|version|one|payload|way|assumption|conclusion|reading",
    "be|is|was|are|were * wrong|incorrect|mistake|invalid|false * to|answer|say|return|write|claim|conclude",
    "incorrectly|wrongly|mistakenly|erroneously|falsely",
    "^wrong|incorrect|invalid|bad|mistake|not",
    "is|are|was|were|would wrong|incorrect|invalid|false|not|nonsense$",
    "^a|an|the|this|another|one|some wrong|incorrect|invalid|bad|faulty|malformed|broken|fake|outdated|hypothetical|fictional|fictitious|dummy|mock",
    "^forget|ignore|disregard|discard|skip",
    "hallucinated|hallucinates|invented|fabricated",
    "acceptable|allowed|ok|okay to return|answer|send|use|say",
    "^def|lambda",
    "counterexample|antipattern",
    // Examples, templates and possibilities.
    "for|an|as|by|another|one|simple|typical|quick example|instance|illustration",
    "^example|examples|sample|samples|template|format|schema|shape|structure|illustration|skeleton|placeholder$",
    "^example|examples|sample|samples|illustration 1|2|3|one|two",
    "e g",
    "^example|examples|sample|template output|response|answer|json|object|format|payload|of|for|request|reply|usage|1|one|a",
    "example|sample|template|dummy|mock|hypothetical|skeleton|illustrative output|response|answer|json|object|payload|reply|record|value|values|data|request|format|schema|only|for",
    "illustrative|fictional|fictitious|hypothetical|hypothetically|imaginary|placeholder|placeholders",
    "such as|something like$",
    "such as$",
    "something|anything|somewhat like",
    "along the lines",
    "might|may|could * look|return|answer|be|say|have|contain|read|write|respond|reply|output|give|use",
    "would|will|should * look|resemble",
    "made|making up",
    "valid|typical|possible response|answer|output|reply|object|payload|json * would|might|could|may|is|looks * look|like",
    "maybe|perhaps|possibly|suppose|supposing|imagine|pretend|hypothetically",
    "expected|required|output|response|answer|following|json|return format|schema|template|structure|shape",
    "format|schema|template|structure is|was|looks|would|should|of|for|like",
    "of the form|shape|format",
    "^if|unless|whenever|assuming|provided|supposing",
    "and|or|then|but|case|only|even if|unless",
    "in case",
    // Promises.
    "from now on",
    "i|we will|shall|can * answer|reply|respond|use|return|format|output",
    "i'll|we'll * answer|reply|respond|use|return|format|output",
    // Prompts.
    "^please * reply|respond|return|answer|output|provide|write|produce|generate|fill|give",
    "^reply|respond|answer with|in|using|like|as|only",
    "^return|provide|produce|generate|give|write|format * json|object|format|like|only",
    "^output * like|format|in|only|exactly",
    "^fill in|out",
    "must|should|shall|need|needs|has|have * reply|respond|return|answer|output|produce|look|be|match|follow$",
    "must|should|shall|need|needs|has|have * reply|respond|return|answer|output|produce|look|match|follow * like|as|with|json|in|exactly",
    "prompt|instruction|instructions|template|spec|specification|docs|documentation|readme|task * say|says|said|reads|asks|asked|shows|show|gives|states|was|is|looks|wants",
    // Superseded values.
    "old|older|previous|former|earlier|outdated|obsolete|deprecated|superseded|withdrawn|retracted|stale|expired|legacy|draft|rejected|cancelled|canceled|discarded|abandoned|invalidated|revoked * was|were|had|read|said|used|looked|contained|is",
    "old|older|previous|former|earlier|outdated|obsolete|deprecated|superseded|withdrawn|retracted|stale|expired|legacy|original|initial|rejected|discarded|revoked|cancelled|canceled|draft|last|prior version|answer|value|values|json|response|output|object|record|config|configuration|manifest|entry|payload|result|draft|attempt|settings|state|one|estimate|file|plan|reply|guess|reading|run|release",
    "^draft|drafts|withdrawn|superseded|outdated|obsolete|deprecated|old|before|previous|previously|earlier|formerly|originally|initially|retracted|rejected|discarded|cancelled|canceled",
    "used to be|read|say|have|return",
    "previously|formerly|originally|initially|yesterday * was|were|had|read|said|set|used|returned|sent|answered",
    "was|were|had previously|formerly|originally|initially|earlier|once",
    "no longer",
    "first|initial|rough|early|failed|earlier attempt|draft|guess|idea|try|cut",
    "withdrawn|superseded|retracted|revoked|discarded",
    // Other languages.
    "beispiel|exemple|ejemplo|esempio|exemplo|falsch|veraltet|ung\u{fc}ltig",
];

/// Words right behind a payload, in its own sentence, that say that it is not the answer.
const TAILS: &[&str] = &[
    "^is|was|would|will|which|that|this|are|were|though|although|but|yet|however|and|as * wrong|incorrect|invalid|mistaken|outdated|obsolete|superseded|withdrawn|retracted|deprecated|forbidden|prohibited|hypothetical|fictional|fictitious|nonsense|unacceptable|disallowed|inaccurate|misleading",
    "^is|was|would|which|that|this|are|were|because|since|though|although|but|as|these * not|never|isn't|wasn't|aren't|wouldn't * answer|correct|right|valid|true|possible|allowed|acceptable|accepted|final|accurate|actual|permitted|ok|okay|real",
    "^is|was|would|which|that|this|are|were|these|and|as|only|just * example|sample|template|placeholder|illustration|draft|guess|dummy|mock|hypothesis",
    "^for|as|by example|instance|illustration|an",
    "^unless|only if",
    "^instead of",
    "^must|should|can|may|will|shall|is|was|has|would not|never * returned|used|sent|accepted|output|published|happen|be",
    "^cannot|can't|mustn't|shouldn't * returned|used|sent|accepted|output|be",
    "^has|have|was|were|been|is|which * superseded|withdrawn|replaced|retracted|revoked|discarded|corrected|overwritten|overridden",
    "^used to|previously|formerly|originally",
    "^in|under the|an old|previous|earlier|former",
];

/// Words in brackets right behind a payload that withdraw it.
const ASIDES: &[&str] = &[
    "withdrawn|example|invalid|old|outdated|wrong|incorrect|hypothetical|placeholder|sample|draft|fictional|superseded|deprecated|obsolete|retracted|fake|dummy|mock|template|illustrative|void|revoked|discarded|ignore|disregard|stale|expired",
    "not real|valid|final|correct|true|used|to",
    "do|don't not|use",
    "made up",
    "no longer",
];

/// Sentences behind a payload that withdraw or correct it.
const RETRACTIONS: &[&str] = &[
    "^correction|erratum|corrigendum|oops|whoops|scratch|nevermind|disregard|retracted|withdrawn",
    "^strike that|this|it",
    "^never mind",
    "^no wait|actually|sorry|scratch",
    "^hold on",
    "^on second thought|thoughts",
    "^my mistake|bad|error",
    "^sorry|apologies|wait|hmm|actually|no|oh|hm|ah * meant|mean|wrong|mistake|incorrect|forgot|misread|scratch|instead",
    "^sorry|apologies|oops|whoops * should|must|meant",
    "i|we should|could|would have",
    "made|making up",
    "not actual|genuine|authentic|actually|verified",
    "not the real|actual|true",
    "at random",
    "randomly|arbitrarily",
    "replace|replaced|swap|swapped|change|changed * with|to|from",
    "no access",
    "missing|absent from",
    "i|we will|would|shall|did|do|am|are not|never",
    "i|we won't|wouldn't|can't|cannot|didn't",
    "i'm|i've|we're not",
    "is|was|are|were|be off by",
    "please|kindly send|provide|share|paste|upload|attach * text|ticket|document|message|input|email|invoice|file|question|transcript|review|article|image|details|data",
    "decided|deciding|advise|recommend|recommended against",
    "that|this|it|which|value|answer should|must|ought * be|read|say true|false|yes|no|null|zero|one|two|three|four|five|instead|different|higher|lower",
    "^i meant|misread|miscalculated|misspoke|mistyped|retract|withdraw",
    "^i made a|an mistake|error",
    "scratch|strike|disregard|ignore|discard that|this|it|above|previous",
    "disregard|ignore|forget|discard * above|previous|json|object|answer|output",
    "take|took|taking that|it|this back",
    "invented|fabricated|hallucinated|fictitious",
    "i was|am|were wrong|mistaken|incorrect",
    "i|i've|have made this|that|it|these|them|everything up",
    "none|nothing of|in this|these|it|that|the|above * real|true|correct|valid|accurate",
    "^not final|real|valid|correct|verified|confirmed|yet|true",
    "this|that|it|these is|was|are|were * guess|guesses|guesswork|speculation|fiction",
    "please|should|must ignore|disregard|discard",
    "do not use|send|submit|rely|take|trust|return|accept|treat",
    "don't use|send|submit|rely|trust|take|return|accept|treat",
    "that|this|it|which|above|answer|json|object|value|values|output|result|response|one is|was|were|are * wrong|incorrect|invalid|mistaken|outdated|obsolete|superseded|withdrawn|retracted|deprecated|hypothetical|fictional|nonsense",
    "that's|it's wrong|incorrect|invalid|outdated|obsolete|not|just|only",
    "that|this|it|above|answer|json|object|value|output|result|response|data is|was|are|were * not|only|just|merely * answer|correct|right|valid|true|real|final|example|sample|template|placeholder|draft|guess|illustration|accurate|mock|dummy",
    "that|this|it|above|answer isn't|wasn't|can't|cannot * answer|correct|right|valid|true|real|final|accurate|be",
    "that|this|it|above|values|data|they * made up",
    "that|this|it|above|answer|version|draft|offer * has|was|been|were|is superseded|withdrawn|retracted|revoked|replaced|discarded|overwritten",
    "no longer valid|true|correct|current|applies|holds",
    "use|send|return|answer|should|must|please|set|take|make|change|put|be|try|go * instead$",
    "^instead use|return|send|answer|set|put|you",
    "replace|fill|substitute * placeholder|placeholders|example|sample|dummy|your|brackets",
    "placeholder|dummy|sample|mock|fictional|hypothetical|illustrative|example values|value|data|numbers|only|purposes",
    "for illustration|illustrative|demonstration|example only|purposes|purpose",
    "just|only|merely|purely an|a example|illustration|template|placeholder|draft",
];

/// Sentences that say that the answer is not known.
const UNKNOWN: &[&str] = &[
    "^but|although|though|however|yet * not|no|never|nothing|cannot|can't|doesn't|don't|isn't|unknown|missing",
    "cannot|can't|couldn't|unable|impossible * determine|determined|know|answer|comply|fulfil|fulfill|verify|confirm|tell|access",
    "could|can|do not determine|tell|answer|know|comply",
    "don't know|have",
    "impossible|way to determine|tell|say|know|answer",
    "no idea|way",
    "not enough|sufficient|adequate information|context|data|detail|details",
    "insufficient information|context|data|detail|details",
    "text|document|message|input|email|passage|article|source|conversation|invoice|you|it|there * not|doesn't|don't|didn't|never|isn't * mention|mentions|contain|contains|name|specify|specified|provide|provided|include|given any|anything|anyone",
    "i refuse|decline",
    "i'm not sure|certain",
    "i am not sure|certain",
    "need more|further|additional information|context|details|data",
];

/// Words of other languages that call a payload an example, wrong or old, or that correct it. Some of these languages
/// write without blanks, so the words are looked for anywhere in a sentence.
const FOREIGN: &[&str] = &[
    // Chinese.
    "例如",
    "比如",
    "示例",
    "举例",
    "例子",
    "错误",
    "更正",
    "纠正",
    "不是",
    "不要",
    "不对",
    "应该是",
    "应为",
    "作废",
    "旧的",
    "无法确定",
    "无法回答",
    "不知道",
    "假设",
    // Japanese.
    "例えば",
    "たとえば",
    "例:",
    "例：",
    "例として",
    "サンプル",
    "訂正",
    "修正します",
    "間違",
    "誤り",
    "ではなく",
    "しないで",
    "わかりません",
    "分かりません",
    "正しくは",
    "仮に",
    "古い",
    // Korean.
    "예를 들",
    "예시",
    "정정",
    "아니라",
    "틀렸",
    "하지 마",
    "모르",
    // German.
    "zum beispiel",
    "z. b.",
    "beispielsweise",
    "korrektur",
    "falsch",
    "stimmt nicht",
    "nicht verwenden",
    "muss heißen",
    "sollte heißen",
    "richtig wäre",
    "doch nicht",
    "kann nicht bestimmt",
    "weiß ich nicht",
    "veraltet",
    // French.
    "par exemple",
    "correction :",
    "rectification",
    "erroné",
    "incorrect",
    "n'utilisez pas",
    "ne pas utiliser",
    "au lieu de",
    "devrait être",
    "je ne sais pas",
    "impossible de déterminer",
    "obsolète",
    // Spanish, Portuguese and Italian.
    "por ejemplo",
    "por exemplo",
    "per esempio",
    "ad esempio",
    "corrección",
    "correção",
    "correzione",
    "incorrecto",
    "incorreto",
    "errado",
    "equivocad",
    "sbagliat",
    "debería ser",
    "deveria ser",
    "dovrebbe essere",
    "no usar",
    "não usar",
    "no lo sé",
    "não sei",
    "non lo so",
    "en lugar de",
    "em vez de",
    "obsoleto",
    // Russian.
    "например",
    "исправление",
    "неверно",
    "неправильно",
    "не используйте",
    "должно быть",
    "не знаю",
];

/// Words of other languages that forbid a payload they lead to.
const FOREIGN_NEGATIONS: &[&str] = &[
    "nicht|niemals|kein|keine|keinen|keinesfalls",
    "nunca|jam\u{e1}s|jamais|n\u{e3}o|mai|nooit|niet",
    "^no|non ejecutes|ejecutar|use|uses|usar|env\u{ed}es|enviar|hagas|usare|inviare|eseguire",
    "ne * pas",
];

/// The word of another language in a sentence that says that a payload is not the answer.
fn foreign(sentence: &str) -> Option<String> {
    let sentence = sentence.to_lowercase();
    FOREIGN.iter().find(|word| sentence.contains(**word)).map(|word| (*word).to_owned())
}

/// Words of a sentence that names a gap and says how it was filled.
const FILLED: &[&str] = &[
    "null|omitted|omit|blank|empty|skipped|default|defaults|excluded|unset|none|missing|optional",
    "left|leave|set|kept|used|marked * out|it|as|to|them|that",
    "so|therefore|hence i|it|the|this|that|we|no|there",
];

/// The words that say that a payload is not the answer; none where nothing does.
///
/// `is_topic` tells whether the payload itself speaks of a word: `It is invalid` explains `{"valid": false}`.
/// `is_gap` tells whether a word names a key that the payload leaves out: `The text does not mention a phone number`
/// explains a gap.
pub(crate) fn disowned(
    around: Surroundings<'_>,
    is_topic: &dyn Fn(&str) -> bool,
    is_gap: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let is_plain = |word: &str| {
        ["was", "were", "not", "the", "are", "has", "had", "for", "and", "but", "you", "can", "may", "this", "that"]
            .contains(&word)
    };
    let off_topic = |found: &String| !found.split(' ').any(|word| word.len() > 2 && !is_plain(word) && is_topic(word));
    lead(around.before, is_gap)
        .filter(off_topic)
        .or_else(|| embedded(around))
        .or_else(|| tail(around.after, &off_topic, is_gap))
}

/// Whether the prose between two values announces the second as the corrected or final one.
pub(crate) fn announces_correction(between: &str) -> bool {
    let lead = between.trim_end_matches(|c: char| !c.is_alphanumeric());
    let announced = between.trim_end().trim_end_matches(['*', '_', '`', '\n', ' ']).ends_with(':');
    let patterns = [
        "corrected|fixed|updated|revised|final|amended answer|version|json|output|object|result|response|one|payload|record|values|reply$",
        "corrected|fixed|updated|revised|amended$",
        "final answer$",
    ];
    announced && first_match(&words_of(last_sentence(lead)), &patterns).is_some()
}

/// The last words of a sentence that mentions a payload without offering it: `I considered {…}`, `never run {…} there`.
///
/// A payload within a line of prose is the answer only if a mark or a word leads to it: `Result: {…}`, `The answer is
/// {…}`. Anything else is refused, in any language.
fn embedded(around: Surroundings<'_>) -> Option<String> {
    const OFFERING: &[&str] = &[
        "is|are|equals|yields|becomes|returns|json|answer|result|response|object|payload|record|here|following|below|values|go|as|ist|sind|lautet|est|es|sont|son|\u{e9}|\u{e8}$",
        "the|final|my|raw|json|your output|data|reply$",
    ];
    const OFFERING_ENDS: [&str; 8] =
        ["\u{662f}", "\u{4e3a}", "\u{70ba}", "\u{306f}", "\u{304c}", "\u{3067}\u{3059}", "\u{4e0b}", "\u{ff1a}"];
    let before = around.before.trim_end();
    let last = before.chars().next_back().filter(|_| around.inline)?;
    let sentence = last_sentence(before);
    let words = words_of(sentence);
    // `curl -d '{…}'`: an option of a command takes the payload as its value.
    let is_option = before.split_whitespace().next_back().is_some_and(|word| word.starts_with('-'));
    let offered = !last.is_alphanumeric()
        || is_option
        || OFFERING_ENDS.iter().any(|end| before.ends_with(end))
        || first_match(&words, OFFERING).is_some()
        || words.is_empty();
    let from = words.len().saturating_sub(3);
    (!offered).then(|| words.get(from..).unwrap_or_default().join(" "))
}

/// The words of the clause before a payload that disown it.
fn lead(before: &str, is_gap: &dyn Fn(&str) -> bool) -> Option<String> {
    let before = end_of(before, LONGEST_LEAD);
    if let Some(role) = asking_role(before) {
        return Some(role);
    }
    let trimmed = before.trim_end();
    if trimmed.ends_with("~~") && !trimmed.ends_with("~~~") {
        return Some("~~".to_owned());
    }
    let clause = last_clause(last_sentence(before));
    let words = without_neutral(words_of(clause));
    if first_match(&words, ANNOUNCES).is_some() {
        return None;
    }
    let offered = first_match(&words, OFFERS).is_some();
    if offered {
        return first_match(&words, OFFERED_LEADS);
    }
    let quoted = || first_match(&words, QUOTES).filter(|_| !clause.trim_end().ends_with(['.', '!', '?']));
    first_match(&words, LEADS)
        .or_else(quoted)
        .or_else(|| first_match(&words, FOREIGN_NEGATIONS))
        .or_else(|| foreign(clause))
        .or_else(|| unknown(&words, is_gap))
}

/// The words of a sentence that say that the answer is not known, unless it explains a gap of the payload.
fn unknown(words: &[String], is_gap: &dyn Fn(&str) -> bool) -> Option<String> {
    let explains_gap = first_match(words, FILLED).is_some() || words.iter().any(|word| is_gap(word));
    first_match(words, UNKNOWN).filter(|_| !explains_gap)
}

/// The role of whoever asks, where the line that leads to a payload is theirs.
fn asking_role(before: &str) -> Option<String> {
    let line = before.trim_end().lines().next_back()?.trim_start_matches(['#', '*', '>', '<', '|', '[', ' ']);
    let (label, rest) = line.split_once(':')?;
    let label = label.trim_matches(['*', '_', '`', ' ']).to_lowercase();
    (ASKING_ROLES.contains(&label.as_str()) && !rest.to_lowercase().contains("assistant")).then(|| format!("{label}:"))
}

/// The words behind a payload that disown it.
fn tail(after: &str, off_topic: &dyn Fn(&String) -> bool, is_gap: &dyn Fn(&str) -> bool) -> Option<String> {
    let after = start_of(after, LONGEST_TAIL);
    let trimmed = after.trim();
    if trimmed.starts_with("~~") && !trimmed.starts_with("~~~") {
        return Some("~~".to_owned());
    }
    // A transcript that ends where the answer would begin.
    if ["Assistant:", "AI:", "Answer:", "Response:", "Output:"].iter().any(|label| trimmed.ends_with(label)) {
        return trimmed.lines().next_back().map(str::to_owned);
    }
    if let Some(aside) = trimmed.strip_prefix(['(', '[']).and_then(|rest| rest.split([')', ']']).next())
        && let Some(found) = first_match(&words_of(aside), ASIDES)
    {
        return Some(found);
    }
    for (index, sentence) in split_sentences(after).into_iter().enumerate() {
        let words = without_neutral(words_of(sentence));
        let joins = index == 0 && continues(after);
        let of_payload = joins.then(|| first_match(&words, TAILS)).flatten();
        let found = of_payload.or_else(|| retraction(sentence, &words)).or_else(|| foreign(sentence));
        if let Some(found) = found.filter(off_topic) {
            return Some(found);
        }
        if let Some(found) = unknown(&words, is_gap) {
            return Some(found);
        }
    }
    None
}

/// The words of a sentence that withdraw what was said before it.
fn retraction(sentence: &str, words: &[String]) -> Option<String> {
    let first = words.first()?;
    // An offer to change the answer does not take it back.
    let offers =
        ["^if|should|let|feel|want|would|in", "^do you|we", "^please let|tell|check|review|double|verify|feel|ask"];
    if first_match(words, &offers).is_some() {
        return None;
    }
    // `Edit: …` and `Update: …` say what has changed since.
    let label = sentence.trim_start_matches(|c: char| !c.is_alphanumeric()).split(':').next().unwrap_or_default();
    if ["edit", "update", "correction", "erratum", "amendment"].contains(&label.to_lowercase().as_str()) {
        return Some(label.to_lowercase());
    }
    // `Wait 5 minutes` asks for patience; `Wait, that is wrong` does not.
    let interjection = ["wait", "hmm", "actually", "no", "hm"].contains(&first.as_str());
    let behind = sentence.trim_start_matches(|c: char| !c.is_alphanumeric()).get(first.len()..).unwrap_or_default();
    let exclaimed = behind.starts_with([',', '.', '!', '…', '-', '–', '—', ':', ';']) || behind.starts_with(" -");
    if interjection && exclaimed && first != "no" {
        return Some(first.clone());
    }
    first_match(words, RETRACTIONS)
}

/// Whether the text behind a payload goes on with its sentence.
fn continues(after: &str) -> bool {
    let line = after.trim_start_matches([' ', '\t', '`', '*', '"', '\'', ')', '}', ']', ',', ';', '-', '–', '—']);
    let gap = after.strip_suffix(line).unwrap_or_default();
    line.starts_with(char::is_lowercase) || gap.contains([',', ';', '-', '–', '—']) && !line.starts_with('\n')
}

/// The last sentence or paragraph of a text.
fn last_sentence(text: &str) -> &str {
    let trimmed = text.trim_end();
    // A line that ends in a colon leads to what follows; a line before it is another sentence.
    let ends = [". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", ".) ", ":\n"];
    let start = ends.iter().filter_map(|end| trimmed.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    // `e.g. ` and its like end no sentence.
    let abbreviated = ["e.g. ", "i.e. ", "E.g. ", "vs. ", "approx. "]
        .iter()
        .any(|short| trimmed.get(..start).is_some_and(|before| before.ends_with(short)));
    if abbreviated {
        trimmed.get(start.saturating_sub(5)..).unwrap_or(trimmed)
    } else {
        trimmed.get(start..).unwrap_or(trimmed)
    }
}

/// The last clause of a sentence: what stands behind the last comma or dash that a clause of its own follows.
fn last_clause(sentence: &str) -> &str {
    let marks = sentence.match_indices([',', ';', '–', '—', '-', '\n', ':']);
    let starts = marks.filter_map(|(at, mark)| {
        let rest = sentence.get(at + mark.len()..)?;
        let first = words_of(rest).into_iter().next();
        let apart = mark != "-" || rest.starts_with(' ');
        let own = match first {
            Some(word) => CLAUSE_STARTS.contains(&word.as_str()) && apart,
            None => false,
        } || mark == ";";
        own.then_some(at + mark.len())
    });
    starts.max().and_then(|start| sentence.get(start..)).unwrap_or(sentence)
}

/// The sentences of a text.
fn split_sentences(text: &str) -> Vec<&str> {
    let lines = text.split('\n').flat_map(|line| line.split(". ")).flat_map(|part| part.split("! "));
    lines.flat_map(|part| part.split("? ")).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Words without the phrases that say nothing of a payload.
fn without_neutral(words: Vec<String>) -> Vec<String> {
    let mut left = words;
    for pattern in NEUTRAL {
        while let Some(found) = matched(&left, pattern) {
            let phrase: Vec<&str> = found.split(' ').collect();
            let Some(at) = left.windows(phrase.len()).position(|window| window.iter().eq(phrase.iter().copied()))
            else {
                break;
            };
            left.drain(at..at + phrase.len());
        }
    }
    left
}

/// The end of a text, at most so long.
fn end_of(text: &str, most: usize) -> &str {
    let from = (text.len().saturating_sub(most)..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(from..).unwrap_or_default()
}

/// The beginning of a text, at most so long.
fn start_of(text: &str, most: usize) -> &str {
    let to = (0..=text.len().min(most)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..to).unwrap_or_default()
}

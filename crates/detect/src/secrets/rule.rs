//! One key format as data.

use super::guise::Guise;
use crate::shape::Part;

/// A key format: the words that announce it, its pattern, and the shape of a made-up example.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    id: &'static str,
    title: &'static str,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) form: Form,
    pub(crate) reach: usize,
    pub(crate) min_entropy: f32,
    pub(crate) breadth: Breadth,
    pub(crate) guise: Guise,
    pub(crate) example: Example,
}

/// The relation of a rule's pattern to the text around the secret.
///
/// In patterns `<UUID>` stands for a UUID and `<ASSIGNS>` for what ties a name to its value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// The pattern is the secret itself, with no word character on either side.
    Token(&'static str),
    /// The pattern is a value assigned to a name that holds the vendor and a word like `key`.
    Assigned {
        /// The vendor in names, as a pattern without regard to case.
        vendor: &'static str,
        /// The value.
        value: &'static str,
    },
    /// The pattern is a secret in its surroundings; the group `secret` or `quoted` is the secret
    /// and the group `name`, where there is one, the name it is assigned to.
    Within(&'static str),
}

/// The breadth of a format: the less specific it is, the more checks a match must pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// The format of one issuer or one kind of material.
    Specific,
    /// Anything random under a telling name, save what looks like a content hash.
    Generic,
    /// As generic, but the name is so telling that a bare hash counts as well.
    GenericStrong,
    /// Anything under a password's name; weaker material counts, since people choose it.
    Password,
}

/// The surroundings and the shape of a made-up example.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    /// The text before the secret.
    pub(crate) lead: &'static str,
    /// The secret's shape, at its shortest.
    pub(crate) parts: &'static [Part],
    /// The text after the secret.
    pub(crate) trail: &'static str,
}

/// The least entropy of random material, whatever the issuer.
const LEAST_ENTROPY: f32 = 2.5;

/// The bytes after its keyword in which a match must be recognisable; it may end later.
const USUAL_REACH: usize = 640;

impl Rule {
    /// The stable id, such as `aws-access-key-id`.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// A title such as `AWS access key id`.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Returns true if the rule knows no issuer and goes by names, entropy and allow-lists alone.
    pub fn is_generic(&self) -> bool {
        self.breadth != Breadth::Specific
    }

    const fn new(id: &'static str, title: &'static str, form: Form) -> Self {
        Self {
            id,
            title,
            keywords: &[],
            form,
            reach: USUAL_REACH,
            min_entropy: LEAST_ENTROPY,
            breadth: Breadth::Specific,
            guise: Guise::Any,
            example: Example { lead: "", parts: &[], trail: "" },
        }
    }

    /// A rule whose pattern is the secret itself.
    pub(crate) const fn token(id: &'static str, title: &'static str, pattern: &'static str) -> Self {
        Self::new(id, title, Form::Token(pattern))
    }

    /// A rule whose value is only telling under the vendor's name.
    pub(crate) const fn assigned(
        id: &'static str,
        title: &'static str,
        vendor: &'static str,
        value: &'static str,
    ) -> Self {
        Self::new(id, title, Form::Assigned { vendor, value })
    }

    /// A rule whose pattern spells out the surroundings.
    pub(crate) const fn within(id: &'static str, title: &'static str, pattern: &'static str) -> Self {
        Self::new(id, title, Form::Within(pattern))
    }

    /// Sets the words of which one must occur near the secret.
    pub(crate) const fn keywords(mut self, keywords: &'static [&'static str]) -> Self {
        self.keywords = keywords;
        self
    }

    /// Sets the bytes after its keyword in which a match must be recognisable.
    pub(crate) const fn reach(mut self, bytes: usize) -> Self {
        self.reach = bytes;
        self
    }

    /// Sets the least entropy in bits per byte.
    pub(crate) const fn entropy(mut self, bits: f32) -> Self {
        self.min_entropy = bits;
        self
    }

    /// Sets the breadth of the format.
    pub(crate) const fn breadth(mut self, breadth: Breadth) -> Self {
        self.breadth = breadth;
        self
    }

    /// Sets the surroundings of the rule's lead or keyword, if they are cheaper to check than the pattern.
    pub(crate) const fn guise(mut self, guise: Guise) -> Self {
        self.guise = guise;
        self
    }

    /// Sets the shape of a made-up secret.
    pub(crate) const fn shape(mut self, parts: &'static [Part]) -> Self {
        self.example.parts = parts;
        self
    }

    /// Sets the text around the made-up secret.
    pub(crate) const fn around(mut self, lead: &'static str, trail: &'static str) -> Self {
        self.example.lead = lead;
        self.example.trail = trail;
        self
    }
}

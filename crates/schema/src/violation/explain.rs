//! Turns the errors of a validator into violations.
//!
//! A union is opened in place: each variant is asked for its objections to the value at hand, and only the variant
//! that is meant is asked for all its reasons. So the work grows with the value and with the schema, and not
//! exponentially.

use super::choose::{Mark, Marked, closest, is_named};
use super::words::{bad_key, missing, name_of, plain, text_of, unknown_key, unsaid};
use super::{Violation, ViolationKind};
use crate::shared::{ANY, ONE, REFERENCE, Target, Targets, Union};
use crate::spot::Spot;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// References and unions that are followed from one error.
const DEEPEST: usize = 300;
/// References that are followed from the name of a key.
const DEEPEST_NAME: usize = 8;
/// Variants that are tried for one value.
const MOST_VARIANTS: usize = 1_000_000;

/// A value and the violations found so far.
pub(super) struct Explainer<'v> {
    value: &'v Value,
    targets: Option<&'v Arc<Targets>>,
    /// The schema as a whole, if its parts cannot be asked separately.
    whole: Option<Spot<'v>>,
    most: usize,
    /// True if unions are opened.
    opens: bool,
    /// The targets that were asked, and the locations that they were asked about.
    asked: HashSet<(usize, String)>,
    variants: usize,
    found: Vec<Violation>,
    /// The number of violations at which duplicates are removed next.
    room: usize,
    full: bool,
}

impl<'v> Explainer<'v> {
    pub(super) fn new(targets: &'v Arc<Targets>, value: &'v Value, most: usize) -> Self {
        Self { targets: Some(targets), ..Self::of_whole(None, value, most) }
    }

    /// An explainer for a schema that is asked as a whole.
    pub(super) fn of_whole(whole: Option<Spot<'v>>, value: &'v Value, most: usize) -> Self {
        Self {
            value,
            targets: None,
            whole,
            most,
            opens: true,
            asked: HashSet::new(),
            variants: 0,
            found: Vec::new(),
            room: most,
            full: false,
        }
    }

    /// Explains the violations of a target.
    pub(super) fn target(mut self, target: &Arc<Target>) -> Vec<Violation> {
        self.ask(target, "", 0);
        self.finish()
    }

    /// Explains errors of a validator.
    pub(super) fn errors<'e>(mut self, errors: impl Iterator<Item = ValidationError<'e>>) -> Vec<Violation> {
        for error in errors {
            self.one(None, "", &error, 0);
            if self.is_full() {
                break;
            }
        }
        self.finish()
    }

    fn is_full(&mut self) -> bool {
        if !self.full && self.found.len() > self.room {
            in_order(&mut self.found);
            self.full = self.found.len() > self.most;
            self.room = self.found.len() + self.most;
        }
        self.full
    }

    fn finish(mut self) -> Vec<Violation> {
        in_order(&mut self.found);
        if self.full || self.found.len() > self.most {
            self.found.truncate(self.most);
            let things = if self.most == 1 { "thing is" } else { "things are" };
            let message = format!("more than {} {things} wrong; the rest is not listed", self.most);
            self.found.push(Violation::of_all(message));
            in_order(&mut self.found);
        }
        self.found
    }

    fn say(&mut self, kind: ViolationKind, pointer: &str, message: String, help: Option<String>) {
        self.found.push(Violation { kind, pointer: pointer.to_owned(), key: None, message, help });
    }

    fn ask(&mut self, target: &Arc<Target>, at: &str, depth: usize) {
        if !self.asked.insert((Arc::as_ptr(target).addr(), at.to_owned())) {
            return;
        }
        let (Ok(validator), Some(value), true) = (target.validator(), self.value.pointer(at), depth < DEEPEST) else {
            self.say(ViolationKind::Other, at, unsaid(&name_of(at)), None);
            return;
        };
        for error in validator.iter_errors(value) {
            self.one(Some(target), at, &error, depth);
            if self.is_full() {
                return;
            }
        }
    }

    fn one(&mut self, of: Option<&Arc<Target>>, base: &str, error: &ValidationError<'_>, depth: usize) {
        let pointer = format!("{base}{}", error.instance_path().as_str());
        let value: &Value = error.instance();
        match error.kind() {
            ValidationErrorKind::Custom { keyword, message } => match self.behind(keyword, message) {
                Some(Behind::Target(target)) => self.ask(&target, &pointer, depth + 1),
                Some(Behind::Union(union)) => self.union(&union, &pointer, depth),
                None => self.say(ViolationKind::Other, &pointer, unsaid(&name_of(&pointer)), None),
            },
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let path = error.schema_path().as_str();
                let (holder, _) = path.rsplit_once('/').unwrap_or_default();
                let whole = self.whole.as_ref().and_then(|whole| whole.along(path));
                let part = of.and_then(|of| of.translated().ok()).and_then(|schema| schema.pointer(holder));
                let holder = part.or_else(|| whole.as_ref().map(Spot::value));
                self.found.extend(unexpected.iter().map(|key| unknown_key(&pointer, key, holder, value)));
            }
            ValidationErrorKind::Required { property } => {
                self.found.push(missing(&pointer, &text_of(property), value));
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                self.whole_union(base, &pointer, context, depth);
            }
            ValidationErrorKind::PropertyNames { error } if self.targets.is_some() => {
                let (kind, message, help) = bad_key(&name_of(&pointer), &self.of_name(error, 0));
                self.say(kind, &pointer, message, help);
            }
            kind => {
                let (kind, message, help) = plain(kind, &name_of(&pointer), value, error);
                self.say(kind, &pointer, message, help);
            }
        }
    }

    /// The target or union behind an error of one of our keywords.
    fn behind(&self, keyword: &str, address: &str) -> Option<Behind> {
        match keyword {
            REFERENCE => Some(Behind::Target(self.targets?.target(address))),
            ANY | ONE => self.targets?.union(address).map(Behind::Union),
            _ => None,
        }
    }

    /// Explains an error about the name of a key.
    fn of_name(&self, error: &ValidationError<'_>, depth: usize) -> String {
        let ValidationErrorKind::Custom { keyword, message } = error.kind() else { return error.to_string() };
        let name: &Value = error.instance();
        let target = match self.behind(keyword, message) {
            Some(Behind::Target(target)) if depth < DEEPEST_NAME => Some(target),
            _ => None,
        };
        let validator = target.as_ref().and_then(|target| target.validator().ok());
        match validator.and_then(|validator| validator.iter_errors(name).next()) {
            Some(first) => self.of_name(&first, depth + 1),
            None => format!("{name} has none of the forms it may have"),
        }
    }

    fn union(&mut self, union: &Union, at: &str, depth: usize) {
        let Some(value) = self.value.pointer(at) else {
            // Nothing found would mean a valid value.
            self.say(ViolationKind::Other, at, unsaid(&name_of(at)), None);
            return;
        };
        if union.only && union.variants.iter().any(|variant| variant.is_valid(value)) {
            let help = Some("leave out what belongs to the other shape".to_owned());
            let message = format!("{} fits several shapes of which it may fit only one", name_of(at));
            self.say(ViolationKind::NoVariant, at, message, help);
            return;
        }
        self.variants += union.variants.len();
        if self.variants > MOST_VARIANTS {
            self.say(ViolationKind::NoVariant, at, none_of(at, union.variants.len()), None);
            return;
        }
        let marked: Vec<Marked> = union
            .variants
            .iter()
            .map(|variant| Marked { marks: self.marks(variant, at), named: is_named(self.targets, variant, value) })
            .collect();
        let choice = closest(&marked, at).and_then(|(at, sure)| Some((union.variants.get(at)?, sure)));
        match choice {
            Some((variant, true)) if self.opens && depth < DEEPEST => self.ask(variant, at, depth + 1),
            Some((variant, _)) if self.opens => {
                let nearest = Explainer { targets: self.targets, opens: false, ..Self::of_whole(None, self.value, 0) };
                let help = nearest.first(variant, at);
                self.say(ViolationKind::NoVariant, at, none_of(at, union.variants.len()), help);
            }
            _ => self.say(ViolationKind::NoVariant, at, none_of(at, union.variants.len()), None),
        }
    }

    /// The first objection of a variant to the value at a location.
    fn first(mut self, variant: &Arc<Target>, at: &str) -> Option<String> {
        self.ask(variant, at, 0);
        self.found.first().map(|violation| format!("the nearest of them says: {}", violation.message))
    }

    /// The objections of a variant to the value at a location: references followed, unions not opened.
    fn marks(&self, variant: &Arc<Target>, at: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut seen = HashSet::new();
        let mut left = vec![(Arc::clone(variant), at.to_owned())];
        while let Some((target, at)) = left.pop() {
            if !seen.insert((Arc::as_ptr(&target).addr(), at.clone())) {
                continue;
            }
            let (Ok(validator), Some(value)) = (target.validator(), self.value.pointer(&at)) else {
                marks.push(Mark::other(at));
                continue;
            };
            for error in validator.iter_errors(value) {
                let at = format!("{at}{}", error.instance_path().as_str());
                match error.kind() {
                    ValidationErrorKind::Custom { keyword, message } if keyword == REFERENCE => {
                        match self.behind(keyword, message) {
                            Some(Behind::Target(target)) => left.push((target, at)),
                            _ => marks.push(Mark::other(at)),
                        }
                    }
                    kind => marks.push(Mark::of(kind, at)),
                }
            }
        }
        marks
    }

    /// Explains a union of a schema that is asked as a whole, whose validator reported on every variant.
    fn whole_union(&mut self, base: &str, at: &str, context: &[Vec<ValidationError<'static>>], depth: usize) {
        let mark = |error: &ValidationError<'_>| Mark::of(error.kind(), format!("{base}{}", error.instance_path()));
        let marked: Vec<Marked> =
            context.iter().map(|errors| Marked { marks: errors.iter().map(mark).collect(), named: false }).collect();
        let choice = closest(&marked, at).and_then(|(at, sure)| Some((context.get(at)?, sure)));
        match choice {
            Some((errors, true)) if self.opens && depth < DEEPEST => {
                errors.iter().for_each(|error| self.one(None, base, error, depth + 1));
            }
            other => {
                let before = self.found.len();
                if let (Some(error), true) = (other.and_then(|(errors, _)| errors.first()), self.opens) {
                    self.opens = false;
                    self.one(None, base, error, depth + 1);
                    self.opens = true;
                }
                let said = self.found.drain(before..).next();
                let help = said.map(|violation| format!("the nearest of them says: {}", violation.message));
                self.say(ViolationKind::NoVariant, at, none_of(at, context.len()), help);
            }
        }
    }
}

enum Behind {
    Target(Arc<Target>),
    Union(Arc<Union>),
}

fn none_of(at: &str, shapes: usize) -> String {
    format!("{} fits none of {shapes} shapes", name_of(at))
}

/// Sorts violations by location and removes duplicates.
fn in_order(found: &mut Vec<Violation>) {
    found.sort_by(|a, b| (&a.pointer, a.kind, &a.message).cmp(&(&b.pointer, b.kind, &b.message)));
    found.dedup();
}

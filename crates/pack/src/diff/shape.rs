//! The table of classes as data: a shape for every field, so that a field without one cannot slip through.

use super::class::ChangeClass;
use crate::overlay::tighten::Strictness;
use deed_model::ContextPack;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A class and the reason for it.
pub(super) struct Verdict {
    pub(super) class: ChangeClass,
    pub(super) why: String,
}

impl Verdict {
    pub(super) fn patch(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Patch, why: why.into() }
    }

    pub(super) fn minor(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Minor, why: why.into() }
    }

    pub(super) fn major(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Major, why: why.into() }
    }

    /// Minor where the change is proven to tighten, major otherwise.
    pub(super) fn of(strictness: &Strictness) -> Self {
        let why = strictness.reason();
        match strictness {
            Strictness::Same | Strictness::Tighter(_) => Self::minor(why),
            Strictness::Looser(_) => Self::major(format!("loosened: {why}")),
            Strictness::Unproven(_) => Self::major(format!("not proven to tighten: {why}")),
        }
    }
}

/// How a field is compared.
pub(super) enum Shape {
    /// It names the version, and is what the changes are held against.
    VersionNumber,
    /// Words for people: they change nothing at run time.
    Words,
    /// Any change changes behaviour, for this reason.
    Behaviour(&'static str),
    /// A change is judged as a whole.
    Judged(fn(&Spot<'_>) -> Verdict),
    /// Each member has its own shape; one that is not listed counts as behaviour.
    Object(&'static [(&'static str, Shape)]),
    /// A list whose items have an identity.
    Keyed(&'static Keyed),
    /// A list of plain texts.
    Texts(&'static Texts),
}

/// A list whose items have an identity, so that moving one is not removing it.
pub(super) struct Keyed {
    /// What an item is called.
    pub(super) noun: &'static str,
    /// The member that identifies an item; a plain text identifies itself.
    pub(super) id: &'static str,
    /// How an item is named.
    pub(super) named: Named,
    /// Whether the order means something.
    pub(super) order: Order,
    /// What a new item asks for.
    pub(super) added: fn(&Spot<'_>) -> Verdict,
    /// Why a lost item breaks somebody.
    pub(super) removed: &'static str,
    /// How an item that stayed is compared.
    pub(super) item: Shape,
}

/// A list of plain texts.
pub(super) struct Texts {
    /// What an item is called.
    pub(super) noun: &'static str,
    /// Whether the order means something.
    pub(super) order: Order,
    /// What a new text asks for.
    pub(super) added: (ChangeClass, &'static str),
    /// What a lost text asks for.
    pub(super) removed: (ChangeClass, &'static str),
}

/// How an item is named.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// By its own id.
    Alone,
    /// By the id of what it belongs to and its own: `adp_orders.lookup`.
    WithOwner,
}

/// Whether the order of a list means something.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// It does not.
    Free,
    /// It does, for this reason.
    Meant(&'static str),
}

/// Before and after of one thing.
pub(super) type Pair<'a> = (Option<&'a Value>, Option<&'a Value>);

/// A change, seen with everything around it.
pub(super) struct Spot<'a> {
    /// What stood there.
    pub(super) before: Option<&'a Value>,
    /// What stands there now.
    pub(super) after: Option<&'a Value>,
    /// What it stands in, outermost first.
    pub(super) parents: &'a [Pair<'a>],
    /// The older pack.
    pub(super) old: &'a ContextPack,
    /// The newer pack.
    pub(super) new: &'a ContextPack,
}

impl<'a> Spot<'a> {
    /// What it stands in: 0 for the nearest.
    pub(super) fn up(&self, levels: usize) -> Pair<'a> {
        let index = self.parents.len().checked_sub(levels + 1);
        index.and_then(|i| self.parents.get(i)).copied().unwrap_or((None, None))
    }

    /// Both sides as a type; nothing where one is absent or of another type.
    pub(super) fn both<T: DeserializeOwned>(&self) -> Option<(T, T)> {
        Some((typed(self.before?)?, typed(self.after?)?))
    }

    /// Both sides as numbers.
    pub(super) fn numbers(&self) -> Option<(f64, f64)> {
        Some((self.before?.as_f64()?, self.after?.as_f64()?))
    }
}

/// A value as a type.
pub(super) fn typed<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

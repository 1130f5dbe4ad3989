//! Gates: whether a rule applies to a context at all.

use contract::{
    json::Value,
    read::{
        self, At, Errors, Members,
        schema::{self, Shape},
    },
};

use crate::{
    facts::Facts,
    field::{Field, Names, Reason},
    member, reason,
    scalars::{Case, Scalars},
};

/// How deep `all` and `any` may stand within each other.
const NESTING_MAX: usize = 8;

/// How many gates one `all` or `any` may hold: as many as a request has members.
const GATES_MAX: usize = 10_000;

/// A gate, as read from a rule's `when`.
#[derive(Debug)]
pub(crate) enum Gate {
    /// `equals` and `in`; `otherwise` says what any other value is not.
    Among { field: Field, scalars: Scalars, otherwise: String, reason: Reason },
    /// `exists`
    Exists { field: Field, wanted: bool, reason: Reason },
    /// Every member matches.
    All(Vec<Gate>),
    /// At least one member matches.
    Any(Vec<Gate>),
}

impl Gate {
    /// Whether the rule applies.
    pub(crate) fn admits(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Among { field, scalars, .. } => {
                facts.member(field).is_some_and(|value| scalars.contains(value))
            }
            Self::Exists { field, wanted, .. } => facts.member(field).is_some() == *wanted,
            Self::All(members) => members.iter().all(|member| member.admits(facts)),
            Self::Any(members) => members.iter().any(|member| member.admits(facts)),
        }
    }

    /// Reads a gate strictly.
    pub(crate) fn read(
        value: &Value,
        at: &At<'_>,
        errors: &mut Errors,
        names: &mut Names,
    ) -> Option<Self> {
        Reader { names, room: NESTING_MAX }.gate(value, at, errors)
    }
}

/// Reads gates in which `room` more combinators may stand within each other.
struct Reader<'n> {
    names: &'n mut Names,
    room: usize,
}

impl Reader<'_> {
    fn gate(&mut self, value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Gate> {
        if errors.describes_named("GateDraft", |errors| self.describe(value, at, errors)) {
            return None;
        }
        let mut gate = Members::of(value, at, errors)?;
        let read = if gate.has("all") {
            gate.required("all", |value, at, errors| self.list(value, at, errors)).map(Gate::All)
        } else if gate.has("any") {
            gate.required("any", |value, at, errors| self.list(value, at, errors)).map(Gate::Any)
        } else {
            self.leaf(&mut gate)
        };
        gate.finish().and(read)
    }

    /// Describes the shapes of a gate.
    fn describe(&mut self, value: &Value, at: &At<'_>, errors: &mut Errors) {
        let combined = ["all", "any"].map(|name| {
            errors.part(|errors| {
                let Some(mut gate) = Members::of(value, at, errors) else { return };
                gate.required(name, |value, at, errors| self.list(value, at, errors));
                gate.finish();
            })
        });
        let leaf = errors.part(|errors| {
            let Some(mut gate) = Members::of(value, at, errors) else { return };
            self.leaf(&mut gate);
            gate.finish();
        });
        errors.describes(|| schema::one_of_all(combined.into_iter().chain([leaf])));
    }

    /// The members of `all` and `any`.
    fn list(&mut self, value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<Gate>> {
        let Some(room) = self.room.checked_sub(1) else {
            let message = format!("`all` and `any` may stand {NESTING_MAX} deep at the most");
            errors.push(at, "too_deep", message);
            return None;
        };
        if errors.is_describing() {
            let item = errors.part(|errors| drop(self.gate(value, at, errors)));
            errors.describes(|| schema::list(item, 1, GATES_MAX));
            return None;
        }
        let Some(elements) = value.as_array().filter(|elements| !elements.is_empty()) else {
            errors.push(at, "type", "must be an array of at least one gate");
            return None;
        };
        let mut inner = Reader { names: self.names, room };
        let gates: Vec<_> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| inner.gate(element, &at.index(index), errors))
            .collect();
        gates.into_iter().collect()
    }

    /// A gate about one field.
    fn leaf(&mut self, gate: &mut Members<'_, '_>) -> Option<Gate> {
        let field = gate.required("field", member::field(self.names));
        let equals = gate.optional("equals", read::scalar);
        let listed = gate.optional("in", member::scalars);
        let exists = gate.optional("exists", read::boolean);
        let folds = if gate.has("exists") {
            None
        } else {
            gate.optional("case_sensitive", read::boolean).map(|sensitive| !sensitive)
        };
        gate.exactly_one_of(&["equals", "in", "exists"])?;
        gate.one_of(|| {
            let case = |name, absent: [&'static str; 2]| Shape {
                required: vec![name],
                absent: absent.to_vec(),
                ..Shape::default()
            };
            let mut exists = case("exists", ["equals", "in"]);
            exists.unknown.push("case_sensitive");
            vec![case("equals", ["in", "exists"]), case("in", ["equals", "exists"]), exists]
        });
        let field = field?;
        if let Some(wanted) = exists {
            let reason = self.names.reason(&field, if wanted { "missing" } else { "present" });
            return Some(Gate::Exists { field, wanted, reason });
        }
        // A gate is strict unless it says otherwise; a list condition is the other way round.
        let case = if folds == Some(true) { Case::Folded } else { Case::Strict };
        let otherwise = match &equals {
            Some(value) => reason::not(value),
            None => reason::not_one_of(listed.as_deref()?),
        };
        let values = listed.or(equals.map(|value| vec![value]))?;
        let scalars = Scalars::new(&values, case);
        let reason = self.names.reason(&field, &otherwise);
        Some(Gate::Among { field, scalars, otherwise, reason })
    }
}

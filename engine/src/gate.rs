//! Gates: conditions under which a rule applies.

use contract::{
    json::Value,
    read::{
        self, FieldErrors, FromJson as _, JsonPath, ObjectReader,
        schema::{self, Shape},
    },
};

use crate::{
    context_values::ContextValues,
    field::{Field, ReasonId, SlotTable},
    member, reason,
    scalar_set::{Case, ScalarSet},
};

/// The maximum nesting depth of `all` and `any`.
const NESTING_MAX: usize = 8;

/// The maximum number of gates in an `all` or `any`, which equals the limit of members of a request.
const GATES_MAX: usize = 10_000;

/// The schema names of gates on one field, in the order of the shapes that [`Reader::leaf`] describes.
const LEAVES: [&str; 3] = ["EqualsGateDraft", "InGateDraft", "ExistsGateDraft"];

/// A gate, parsed from the member `when` of a rule.
#[derive(Debug)]
pub(crate) enum Gate {
    /// `equals` and `in`. `expected` describes the expected values in reasons.
    OneOf { field: Field, scalars: ScalarSet, expected: String, reason: ReasonId },
    /// `exists`
    Exists { field: Field, exists: bool, reason: ReasonId },
    /// All members match.
    All(Vec<Gate>),
    /// At least one member matches.
    Any(Vec<Gate>),
}

impl Gate {
    pub(crate) fn matches(&self, context: &ContextValues<'_>) -> bool {
        match self {
            Self::OneOf { field, scalars, .. } => {
                context.member(field).is_some_and(|value| scalars.contains(value))
            }
            Self::Exists { field, exists, .. } => context.member(field).is_some() == *exists,
            Self::All(members) => members.iter().all(|member| member.matches(context)),
            Self::Any(members) => members.iter().any(|member| member.matches(context)),
        }
    }

    /// Returns the number of fields that the gate reads.
    pub(crate) fn field_count(&self) -> usize {
        match self {
            Self::OneOf { .. } | Self::Exists { .. } => 1,
            Self::All(members) | Self::Any(members) => {
                members.iter().map(Self::field_count).fold(0, usize::saturating_add)
            }
        }
    }

    /// Reads a gate and refuses unknown members.
    pub(crate) fn read(
        value: &Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
        names: &mut SlotTable,
    ) -> Option<Self> {
        Reader { names, remaining_depth: NESTING_MAX }.gate(value, at, errors)
    }
}

/// A reader of gates with a limited nesting depth.
struct Reader<'n> {
    names: &'n mut SlotTable,
    remaining_depth: usize,
}

impl Reader<'_> {
    fn gate(&mut self, value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Gate> {
        if errors.describes_named("GateDraft", |errors| self.describe(value, at, errors)) {
            return None;
        }
        let mut gate = ObjectReader::new(value, at, errors)?;
        let read = if gate.has("all") {
            gate.required("all", |value, at, errors| self.list(value, at, errors)).map(Gate::All)
        } else if gate.has("any") {
            gate.required("any", |value, at, errors| self.list(value, at, errors)).map(Gate::Any)
        } else {
            self.leaf(&mut gate)
        };
        gate.finish().and(read)
    }

    /// Describes a gate: one named schema per kind. Code generators support a gate within a gate only if each
    /// kind has a name.
    fn describe(&mut self, value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) {
        let combined = [("AllGateDraft", "all"), ("AnyGateDraft", "any")].map(|(kind, name)| {
            errors.schema_of(|errors| {
                errors.describes_named(kind, |errors| {
                    let Some(mut gate) = ObjectReader::new(value, at, errors) else { return };
                    gate.required(name, |value, at, errors| self.list(value, at, errors));
                    gate.finish();
                });
            })
        });
        let leaf = errors.schema_of(|errors| {
            let Some(mut gate) = ObjectReader::new(value, at, errors) else { return };
            self.leaf(&mut gate);
            gate.finish();
        });
        let mut gates = combined.to_vec();
        for (kind, shape) in LEAVES.into_iter().zip(schema::shapes(leaf)) {
            gates.push(errors.schema_of(|errors| {
                errors.describes_named(kind, |errors| {
                    errors.describes(|| shape);
                });
            }));
        }
        errors.describes(|| schema::one_of(gates));
    }

    /// Reads the members of `all` and `any`.
    fn list(
        &mut self,
        value: &Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
    ) -> Option<Vec<Gate>> {
        let Some(remaining_depth) = self.remaining_depth.checked_sub(1) else {
            let message = format!("`all` and `any` can be nested at most {NESTING_MAX} deep");
            errors.push(at, "too_deep", message);
            return None;
        };
        if errors.is_describing() {
            let item = errors.schema_of(|errors| drop(self.gate(value, at, errors)));
            errors.describes(|| schema::list(item, 1, GATES_MAX));
            return None;
        }
        let Some(elements) = value.as_array().filter(|elements| !elements.is_empty()) else {
            errors.push(at, "type", "must be an array of at least one gate");
            return None;
        };
        let mut inner = Reader { names: self.names, remaining_depth };
        let gates: Vec<_> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| inner.gate(element, &at.index(index), errors))
            .collect();
        gates.into_iter().collect()
    }

    /// Reads a gate on one field.
    fn leaf(&mut self, gate: &mut ObjectReader<'_, '_>) -> Option<Gate> {
        let field = gate.required("field", member::field(self.names));
        let equals = gate.optional("equals", read::scalar);
        let one_of = gate.optional("in", member::scalars);
        let exists = gate.optional("exists", bool::from_json);
        let case_sensitive = if gate.has("exists") {
            None
        } else {
            gate.optional("case_sensitive", bool::from_json)
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
        if let Some(exists) = exists {
            let reason = self.names.reason_id(&field, if exists { "missing" } else { "present" });
            return Some(Gate::Exists { field, exists, reason });
        }
        // Gates are case-sensitive by default; list conditions are not.
        let case = if case_sensitive == Some(false) { Case::Folded } else { Case::Strict };
        let expected = match &equals {
            Some(value) => reason::not(value),
            None => reason::not_one_of(one_of.as_deref()?),
        };
        let values = one_of.or(equals.map(|value| vec![value]))?;
        let scalars = ScalarSet::new(&values, case);
        let reason = self.names.reason_id(&field, &expected);
        Some(Gate::OneOf { field, scalars, expected, reason })
    }
}

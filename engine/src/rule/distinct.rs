//! The rule type `distinct`: values, optionally including the ID of the actor, must all be different.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{FromJson as _, ObjectReader},
};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member, reason,
};

/// The maximum number of fields of a rule, because each pair can cause a violation.
const FIELDS_MAX: usize = 50;

/// The name of the actor's ID in violations.
const ACTOR: &str = "actor.id";

/// `{fields, include_actor?}`
#[derive(Debug)]
pub(crate) struct Distinct {
    fields: Vec<Field>,
    include_actor: bool,
}

impl Distinct {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let fields = members.required("fields", member::fields(names, 2, FIELDS_MAX));
        let include_actor = members.optional("include_actor", bool::from_json).unwrap_or(false);
        Some(Self { fields: fields?, include_actor })
    }

    pub(crate) fn field_count(&self) -> usize {
        self.fields.len()
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        for field in &self.fields {
            if context.value(field).is_none() {
                collector.missing(&field.name)?;
            }
        }
        let actor = context.actor_id().filter(|_| self.include_actor);
        if self.include_actor && actor.is_none() {
            collector.missing(ACTOR)?;
        }
        let mut remaining = self.fields.as_slice();
        while let Some((field, rest)) = remaining.split_first() {
            remaining = rest;
            let Some(value) = context.value(field) else { continue };
            for other in remaining.iter().filter(|other| context.is_equal(field, other)) {
                collector.add(equal_values(&field.name, &other.name, value))?;
            }
            if actor.is_some() && actor == value.as_str() {
                collector.add(equal_values(&field.name, ACTOR, value))?;
            }
        }
        Ok(())
    }
}

fn equal_values<'v>(name: &str, other: &str, value: &'v Value) -> FailedCheck<'v> {
    let reason = format!("{name} and {other} are both {}", reason::display(value));
    FailedCheck::new(ReasonCode::ValuesNotDistinct, "different values", reason)
        .actual(value)
        .details([("fields", [name, other].into_iter().collect())])
}

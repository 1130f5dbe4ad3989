//! `distinct`: values, and perhaps the actor's id, that differ pairwise.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, Members},
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member, reason,
    report::{Failure, Report},
};

/// How many fields one rule may compare: each pair may give a violation.
const FIELDS_MAX: usize = 50;

/// What stands for the actor's id beside the names of fields.
const ACTOR: &str = "actor.id";

/// `{fields, include_actor?}`
#[derive(Debug)]
pub(crate) struct Distinct {
    fields: Vec<Field>,
    include_actor: bool,
}

impl Distinct {
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let fields = members.required("fields", member::fields(names, 2, FIELDS_MAX));
        let include_actor = members.optional("include_actor", read::boolean).unwrap_or(false);
        Some(Self { fields: fields?, include_actor })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        for field in &self.fields {
            if facts.value(field).is_none() {
                report.missing(&field.name);
            }
        }
        let actor = facts.actor_id().filter(|_| self.include_actor);
        if self.include_actor && actor.is_none() {
            report.missing(ACTOR);
        }
        let mut later = self.fields.as_slice();
        while let Some((field, rest)) = later.split_first() {
            later = rest;
            let Some(value) = facts.value(field) else { continue };
            for other in later.iter().filter(|other| facts.value(other) == Some(value)) {
                report.add(clash(&field.name, &other.name, value));
            }
            if actor.is_some() && actor == value.as_str() {
                report.add(clash(&field.name, ACTOR, value));
            }
        }
    }
}

fn clash(name: &str, other: &str, value: &Value) -> Failure {
    let reason = format!("{name} and {other} are both {}", reason::shown(value));
    Failure::new(ReasonCode::ValuesNotDistinct, "different values", reason)
        .actual(value)
        .details([("fields", [name, other].into_iter().collect())])
}

//! Who did what, by name.

use std::collections::BTreeMap;

use contract::{
    decision::Actor,
    policy::{Policy, PolicyVersion},
};

/// Names of people and keys by the ids under which records keep them.
pub type Names = BTreeMap<String, String>;

/// Names whoever had a hand in `version`; ids that are not known stay.
pub fn name_version(version: &mut PolicyVersion, names: &Names) {
    for who in [
        &mut version.created_by,
        &mut version.submitted_by,
        &mut version.rejected_by,
        &mut version.ratified_by,
        &mut version.activated_by,
        &mut version.closed_by,
    ] {
        name(who, names);
    }
}

/// Names whoever made `policy`.
pub fn name_policy(policy: &mut Policy, names: &Names) {
    name(&mut policy.created_by, names);
}

fn name(who: &mut Option<String>, names: &Names) {
    *who = known(who.take(), names);
}

/// The name of `who`; an id that is not known stays.
pub(crate) fn known(who: Option<String>, names: &Names) -> Option<String> {
    who.map(|id| names.get(&id).cloned().unwrap_or(id))
}

/// The name to show for whoever acted: the one that the caller gave, else the id.
pub(crate) fn acted(actor: &Actor) -> Option<String> {
    actor.display_name.clone().or_else(|| actor.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_not_known_stays() {
        let names = Names::from([("1".to_owned(), "I. Roy".to_owned())]);
        let (mut known, mut gone) = (Some("1".to_owned()), Some("2".to_owned()));
        name(&mut known, &names);
        name(&mut gone, &names);
        assert_eq!((known.as_deref(), gone.as_deref()), (Some("I. Roy"), Some("2")));
    }
}

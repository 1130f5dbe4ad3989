//! Display names of users and keys.

use std::collections::BTreeMap;

use contract::{decision::Actor, policy::Policy};

/// The names of users and keys, by the IDs that records contain.
pub type Names = BTreeMap<String, String>;

/// Replaces the ID of the creator of `policy` with the name.
pub fn name_policy(policy: &mut Policy, names: &Names) {
    name(&mut policy.created_by, names);
}

fn name(who: &mut Option<String>, names: &Names) {
    *who = known(who.take(), names);
}

/// Returns the name for the ID `who`, or the ID if it is unknown.
pub fn known(who: Option<String>, names: &Names) -> Option<String> {
    who.map(|id| names.get(&id).cloned().unwrap_or(id))
}

/// Returns the display name of an actor: the name from the caller, else the ID.
pub fn actor_name(actor: &Actor) -> Option<String> {
    actor.display_name.clone().or_else(|| actor.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_id_is_unchanged() {
        let names = Names::from([("1".to_owned(), "I. Roy".to_owned())]);
        let (mut known, mut gone) = (Some("1".to_owned()), Some("2".to_owned()));
        name(&mut known, &names);
        name(&mut gone, &names);
        assert_eq!((known.as_deref(), gone.as_deref()), (Some("I. Roy"), Some("2")));
    }
}

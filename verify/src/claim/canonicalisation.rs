//! Claim 6: every JSON member passes the strict reader, and is in its one form.

use contract::json::{FaultCode, Limits, Value};
use receipt::{
    bundle::{INFORMATIONAL, PROFILE, PROFILE_SCHEMA, path},
    dsse::{Envelope, EnvelopeMalformed},
    fields::Fields,
};

use super::Claim;
use crate::{check::Check, code::Code, judge::World};

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::Canonicalisation);
    let members = world.bundle.files.iter();
    for (name, bytes) in members.filter(|(name, _)| is_canonical(name)) {
        member(&mut check, name, bytes);
    }
    check.checked("strict_reader");
    check.checked("canonical_bytes");
    profile(&mut check, world);
    check.holds();
    check
}

/// Whether a member must be in its one form.
fn is_canonical(name: &str) -> bool {
    name.strip_suffix(".json").is_some() && !INFORMATIONAL.contains(&name)
}

fn member(check: &mut Check, name: &str, bytes: &[u8]) {
    let value = match Value::parse(bytes, &Limits::BUNDLE_MEMBER) {
        Ok(value) => value,
        Err(fault) => return check.found(code(fault.code), format!("{name}: {fault}")),
    };
    if value.to_canonical().as_bytes() != bytes {
        check.found(Code::NotCanonical, format!("{name} is not in its one form"));
    }
    let is_envelope = name.ends_with(".dsse.json");
    if is_envelope && Envelope::read(&value) == Err(EnvelopeMalformed::Payload) {
        check.found(Code::NotCanonical, format!("the payload of {name} is not in its one form"));
    }
}

const fn code(fault: FaultCode) -> Code {
    match fault {
        // A member of a bundle may hold U+0000, so that this is never met.
        FaultCode::JsonSyntax | FaultCode::StringNul => Code::JsonSyntax,
        FaultCode::DuplicateKey => Code::DuplicateKey,
        FaultCode::NumberOutOfRange => Code::NumberOutOfRange,
        FaultCode::StringNoncharacter => Code::StringNoncharacter,
        FaultCode::LimitDepth => Code::LimitDepth,
        FaultCode::LimitSize => Code::LimitSize,
        FaultCode::LimitMembers => Code::LimitMembers,
    }
}

fn profile(check: &mut Check, world: &World<'_>) {
    let profile = match world.bundle.json(path::PROFILE) {
        Ok(profile) => profile,
        Err(code) => return check.found(code, "the profile cannot be read"),
    };
    match Fields::of_schema(&profile, PROFILE_SCHEMA) {
        Err(fault) => check.malformed(fault, Code::ProfileUnsupported),
        Ok(fields) => {
            let known = PROFILE
                .iter()
                .all(|(name, value)| fields.get(name).and_then(Value::as_str) == Some(*value));
            check.require(known, Code::ProfileUnsupported, "the profile is another one");
            check.checked("profile");
        }
    }
}

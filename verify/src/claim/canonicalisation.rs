//! Claim 6: every JSON file passes the strict parser and is canonical.

use contract::{
    json::{Limits, ParseErrorCode, Value},
    verification::Claim,
};
use receipt::{
    bundle::{INFORMATIONAL, PROFILE, PROFILE_SCHEMA, path},
    dsse::{Envelope, ParseEnvelopeError},
    object_reader::SignedObjectReader,
};

use crate::{claim_check::ClaimCheck, code::Code, context::VerificationContext};

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::Canonicalisation);
    let files = cx.bundle.files.iter();
    for (name, bytes) in files.filter(|(name, _)| is_canonical(name)) {
        check_file(&mut check, name, bytes);
    }
    check.add_checked("strict_reader");
    check.add_checked("canonical_bytes");
    check_profile(&mut check, cx);
    check.mark_present();
    check
}

fn is_canonical(name: &str) -> bool {
    name.strip_suffix(".json").is_some() && !INFORMATIONAL.contains(&name)
}

fn check_file(check: &mut ClaimCheck, name: &str, bytes: &[u8]) {
    let value = match Value::parse(bytes, &Limits::BUNDLE_FILE) {
        Ok(value) => value,
        Err(error) => return check.add_failure(to_code(error.code), format!("{name}: {error}")),
    };
    if value.to_canonical().as_bytes() != bytes {
        check.add_failure(Code::NotCanonical, format!("{name} is not canonical"));
    }
    let is_envelope = name.ends_with(".dsse.json");
    if is_envelope && Envelope::read(&value) == Err(ParseEnvelopeError::Payload) {
        check.add_failure(Code::NotCanonical, format!("the payload of {name} is not canonical"));
    }
}

const fn to_code(error: ParseErrorCode) -> Code {
    match error {
        // Bundle files may contain U+0000, so `StringNul` does not occur here.
        ParseErrorCode::JsonSyntax | ParseErrorCode::StringNul => Code::JsonSyntax,
        ParseErrorCode::DuplicateKey => Code::DuplicateKey,
        ParseErrorCode::NumberOutOfRange => Code::NumberOutOfRange,
        ParseErrorCode::StringNoncharacter => Code::StringNoncharacter,
        ParseErrorCode::LimitDepth => Code::LimitDepth,
        ParseErrorCode::LimitSize => Code::LimitSize,
        ParseErrorCode::LimitMembers => Code::LimitMembers,
    }
}

fn check_profile(check: &mut ClaimCheck, cx: &VerificationContext<'_>) {
    let profile = cx.bundle.json(path::PROFILE);
    let Some(profile) = check.ok_or_failure(profile, "the profile cannot be read") else { return };
    match SignedObjectReader::with_schema(&profile, PROFILE_SCHEMA) {
        Err(error) => check.add_parse_failure(error, Code::ProfileUnsupported),
        Ok(fields) => {
            let is_known = PROFILE
                .iter()
                .all(|(name, value)| fields.get(name).and_then(Value::as_str) == Some(*value));
            check.require(is_known, Code::ProfileUnsupported, "the profile is not supported");
            check.add_checked("profile");
        }
    }
}

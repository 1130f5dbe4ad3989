//! The whole error catalogue: a change here is a change of the API and goes into the changelog.

use std::{collections::BTreeSet, fmt::Write as _};

use contract::error::ErrorCode;
use insta::assert_snapshot;

#[test]
fn the_catalogue_of_errors_is_this_one() {
    let catalogue = ErrorCode::ALL.iter().fold(String::new(), |mut table, code| {
        writeln!(table, "{} {}", code.status(), code.as_str()).expect("a string takes any text");
        table
    });
    assert_snapshot!(catalogue, @r"
    400 MISSING_TENANT_ID
    400 INVALID_TENANT_ID
    401 UNAUTHORIZED
    403 FORBIDDEN
    403 INSUFFICIENT_SCOPE
    403 HUMAN_REQUIRED
    403 MAKER_CHECKER_VIOLATION
    404 NOT_FOUND
    404 NO_ACTIVE_POLICIES
    405 METHOD_NOT_ALLOWED
    409 INVALID_TRANSITION
    409 STALE_DRAFT_REVISION
    409 DRAFT_EXISTS
    409 DUPLICATE_CODE
    409 CONFLICT
    413 PAYLOAD_TOO_LARGE
    415 UNSUPPORTED_MEDIA_TYPE
    422 VALIDATION_ERROR
    422 UNSUPPORTED_RULE_TYPE
    422 IDEMPOTENCY_KEY_REUSED
    429 TOO_MANY_REQUESTS
    500 INTERNAL_ERROR
    503 SERVICE_UNAVAILABLE
    ");
}

#[test]
fn no_two_errors_share_a_code() {
    let codes: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes.len(), ErrorCode::ALL.len());
}

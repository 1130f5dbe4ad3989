//! What most tests use: the test environment, its tenants, and the bodies of their requests.

pub(crate) use contract::{
    id::PolicyId,
    json::Value,
    scope::{Role, Scope},
};
pub(crate) use governance::Cx;

pub(crate) use crate::fixtures::{
    TestEnv, TestTenant, body, correction, decision_record, edit, evaluate_request, limit, list,
    new_version, object, payment, ratification, reason, record, request, result_summary, review,
    spending, test_env, test_tenant, test_tenant_with_policy, text, value, with,
};

//! What most tests use: the test service with its callers and steps, the forms of the console, and JSON.

pub(crate) use contract::scope::{Role, Scope};
pub(crate) use insta::assert_snapshot;
pub(crate) use serde_json::{Value, json};

pub(crate) use crate::{
    client::{Client, TestResponse, assert_contains, items, text, texts, tree},
    console_bundle::{assert_shows, contains_text},
    console_pages::{Browser, FORM, attribute, cookie, encoded, form, hidden, secret, unescape},
    service::{
        CHAIN, MINUTE_MS, NOW, PASSWORD, TestService, TestServiceBuilder, Version, chain_request,
        create_draft, create_policy, payment, policy, read_status, record, request, rules,
        store_config, test_service, test_service_with, user_id, with_key,
    },
    transparency::append_pending,
    trust::{create_registry, current_trust},
};

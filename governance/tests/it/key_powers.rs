//! API keys that create API keys: a key has at most the scopes and validity of its creator, and is
//! revoked when its owner loses the right to it.

use std::{collections::BTreeSet, pin::Pin};

use contract::{
    api_key::ApiKeyDraft,
    error::ErrorCode,
    id::{ApiKeyId, UserId},
    member::MemberPatch,
    time::Timestamp,
};
use governance::{
    Result,
    access::{api_key, member},
    base::clock::Entropy,
};

use crate::prelude::*;

/// The number of keys that are requested.
const REQUESTS: u32 = 400;

struct ModelKey {
    id: ApiKeyId,
    secret: String,
    scopes: BTreeSet<&'static str>,
    expires_at: Option<Timestamp>,
    parent: Option<usize>,
}

struct RandomChoices(Entropy);

impl RandomChoices {
    fn below(&self, end: usize) -> usize {
        usize::from(u16::from_le_bytes(self.0.bytes())) % end.max(1)
    }

    /// Returns some grantable scopes, in most cases with the scope that creates keys.
    fn scopes(&self) -> Vec<Scope> {
        let grantable = Scope::ALL.iter().copied().filter(|scope| scope.is_grantable());
        let mut scopes: Vec<Scope> = grantable.filter(|_| self.below(3) == 0).collect();
        if self.below(4) > 0 && !scopes.contains(&Scope::ApiKeysAdmin) {
            scopes.push(Scope::ApiKeysAdmin);
        }
        if scopes.is_empty() { vec![Scope::ApiKeysAdmin] } else { scopes }
    }

    /// Returns no expiry, or one within eight hours.
    fn expiry(&self, now: Timestamp) -> Option<Timestamp> {
        let hours = i64::try_from(self.below(9)).unwrap();
        (hours > 0).then(|| now.plus_millis(hours * 60 * 60 * 1_000))
    }
}

fn scope_names(scopes: &[Scope]) -> BTreeSet<&'static str> {
    scopes.iter().map(|scope| scope.as_str()).collect()
}

/// Returns the expected result of a request of `creator` for another key.
fn expected_result(creator: &ModelKey, draft: &ApiKeyDraft) -> String {
    let requested = scope_names(&draft.scopes);
    let is_admin = creator.scopes.contains(Scope::ApiKeysAdmin.as_str());
    if !is_admin || !requested.is_subset(&creator.scopes) {
        return "403 INSUFFICIENT_SCOPE".to_owned();
    }
    let is_shorter = match (creator.expires_at, draft.expires_at) {
        (None, _) => true,
        (Some(end), Some(at)) => at <= end,
        (Some(_), None) => false,
    };
    if is_shorter { "done".to_owned() } else { "422 VALIDATION_ERROR".to_owned() }
}

#[tokio::test]
async fn a_key_has_at_most_the_scopes_and_validity_of_its_creator() {
    let (env, tenant) = test_tenant().await;
    let person = tenant.create_member("second@acme.example", Role::Admin).await;
    let choices = RandomChoices(Entropy::seeded(13));
    let now = env.governance.clock().now();
    let mut keys: Vec<ModelKey> = Vec::new();
    let mut errors = BTreeSet::new();
    for number in 0..REQUESTS {
        // The user creates the first keys and some others; keys create the rest.
        let parent = (keys.len() > 3 && choices.below(20) > 0).then(|| choices.below(keys.len()));
        let cx = match parent {
            Some(parent) => tenant.cx_with_key(&keys[parent].secret).await,
            None => tenant.user_cx(person).await,
        };
        let draft = ApiKeyDraft {
            name: format!("key {number}"),
            scopes: choices.scopes(),
            expires_at: choices.expiry(now),
        };
        let expected =
            parent.map_or_else(|| "done".to_owned(), |index| expected_result(&keys[index], &draft));
        let scopes = scope_names(&draft.scopes);
        let expires_at = draft.expires_at;
        let result = api_key::create(&cx, draft).await;
        let is_as_expected = result_summary(&result).starts_with(&expected);
        assert!(is_as_expected, "key {number}: {} instead of {expected}", result_summary(&result));
        match result {
            Ok(created) => {
                let (id, secret) = (created.key.id, created.plaintext_key);
                keys.push(ModelKey { id, secret, scopes, expires_at, parent });
            }
            Err(_) => drop(errors.insert(expected)),
        }
    }
    assert!(keys.len() > 20 && errors.len() == 2, "{} keys, {errors:?}", keys.len());
    assert!(keys.iter().any(|key| key.parent.is_some_and(|index| keys[index].parent.is_some())));
    for key in &keys {
        let mut next = key.parent;
        while let Some(index) = next {
            let ancestor = &keys[index];
            assert!(key.scopes.is_subset(&ancestor.scopes));
            let is_shorter =
                ancestor.expires_at.is_none_or(|end| key.expires_at.is_some_and(|own| own <= end));
            assert!(is_shorter);
            next = ancestor.parent;
        }
    }
    // The database contains the parents of the model, and the user as the owner of all keys.
    let stored = "select id::text || coalesce(parent_key_id::text, '') || owner::text from api_keys \
                  where name like 'key %' order by sequence";
    let expected = keys.iter().map(|key| {
        let parent = key.parent.map(|index| keys[index].id.to_string()).unwrap_or_default();
        format!("{}{parent}{person}", key.id)
    });
    assert_eq!(env.texts(stored).await, expected.collect::<Vec<_>>());

    member::remove(&tenant.admin_cx().await, person, None, None).await.unwrap();
    for key in &keys {
        let correlation_id = env.governance.correlation_id();
        let cx = env.governance.key(&key.secret, tenant.tenant, correlation_id).await;
        assert_eq!(result_summary(&cx), "401 UNAUTHORIZED");
    }
}

/// Returns the IDs of the person's keys that are not revoked.
async fn active_keys(env: &TestEnv, person: UserId) -> Vec<String> {
    let sql = format!(
        "select id::text from key_digests k join api_keys a on a.id = k.api_key_id \
         where k.owner = '{person}' and k.revoked_at is null"
    );
    env.texts(&sql).await
}

fn draft() -> ApiKeyDraft {
    let scopes = vec![Scope::ApiKeysAdmin, Scope::PoliciesRead];
    ApiKeyDraft { name: "program".to_owned(), scopes, expires_at: None }
}

/// An operation of [`create_during_removal`]: returns the created key or the result of the removal.
type Operation =
    Pin<Box<dyn Future<Output = (Option<Result<ApiKeyId>>, Option<Result<()>>)> + Send>>;

/// Creates a key while its creator is removed or demoted, and returns both results.
async fn create_during_removal(
    env: &TestEnv,
    tenant: &TestTenant,
    person: UserId,
    by_key: bool,
    patch: Option<MemberPatch>,
) -> (Result<ApiKeyId>, Result<()>) {
    let creator = if by_key {
        let created = api_key::create(&tenant.user_cx(person).await, draft()).await.unwrap();
        tenant.cx_with_key(&created.plaintext_key).await
    } else {
        tenant.user_cx(person).await
    };
    let admin = tenant.admin_cx().await;
    let operations: [Operation; 2] = [
        Box::pin(async move {
            let result = api_key::create(&creator, draft()).await;
            (Some(result.map(|created| created.key.id)), None)
        }),
        Box::pin(async move {
            let result = match patch {
                Some(patch) => member::change_role(&admin, person, patch, None).await.map(drop),
                None => member::remove(&admin, person, None, None).await,
            };
            (None, Some(result))
        }),
    ];
    let mut results = (None, None);
    for (creation, removal) in env.with_head_locked(operations).await {
        results = (creation.or(results.0), removal.or(results.1));
    }
    (results.0.unwrap(), results.1.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_created_during_the_removal_of_its_creator_is_revoked_or_not_created() {
    let (env, tenant) = test_tenant().await;
    for round in 0..12 {
        let email = format!("leaving{round}@acme.example");
        let person = tenant.create_member(&email, Role::Admin).await;
        let patch = (round % 3 == 0).then_some(MemberPatch { role: Role::Author, keys_to: None });
        let (creation, removal) =
            create_during_removal(&env, &tenant, person, round % 2 == 0, patch).await;
        assert_eq!(result_summary(&removal), "done");
        if let Err(error) = creation {
            let code = error.code();
            let is_expected = matches!(code, ErrorCode::Unauthorized | ErrorCode::Forbidden);
            assert!(is_expected, "round {round}: {error}");
        }
        assert_eq!(active_keys(&env, person).await, [""; 0], "round {round}");
    }
}

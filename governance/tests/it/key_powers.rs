//! However keys make keys, none can do more, or is valid for longer, than its maker; and none outlives the
//! rights of the person for whom it acts.

use std::{collections::BTreeSet, pin::Pin};

use contract::{
    api_key::ApiKeyDraft,
    error::ErrorCode,
    id::{ApiKeyId, UserId},
    member::MemberPatch,
    scope::{Role, Scope},
    time::Timestamp,
};
use governance::{
    Result,
    access::{api_key, member},
    base::clock::Entropy,
};

use crate::fixtures::{TestEnv, TestTenant, said, world};

/// How many keys are asked for.
const ASKED: u32 = 400;

/// A key as the model knows it.
struct Known {
    id: ApiKeyId,
    secret: String,
    scopes: BTreeSet<&'static str>,
    expires_at: Option<Timestamp>,
    parent: Option<usize>,
}

/// Draws.
struct Draws(Entropy);

impl Draws {
    fn below(&self, end: usize) -> usize {
        usize::from(u16::from_le_bytes(self.0.bytes())) % end.max(1)
    }

    /// A few scopes that can be granted; most often those with which a key makes keys.
    fn scopes(&self) -> Vec<Scope> {
        let grantable = Scope::ALL.iter().copied().filter(|scope| scope.grantable());
        let mut scopes: Vec<Scope> = grantable.filter(|_| self.below(3) == 0).collect();
        if self.below(4) > 0 && !scopes.contains(&Scope::ApiKeysAdmin) {
            scopes.push(Scope::ApiKeysAdmin);
        }
        if scopes.is_empty() { vec![Scope::ApiKeysAdmin] } else { scopes }
    }

    /// No end, or one within eight hours.
    fn expiry(&self, now: Timestamp) -> Option<Timestamp> {
        let hours = i64::try_from(self.below(9)).unwrap();
        (hours > 0).then(|| now.plus_millis(hours * 60 * 60 * 1_000))
    }
}

fn words(scopes: &[Scope]) -> BTreeSet<&'static str> {
    scopes.iter().map(|scope| scope.as_str()).collect()
}

/// How the model answers a key that asks for another one.
fn expected(maker: &Known, draft: &ApiKeyDraft) -> String {
    let wanted = words(&draft.scopes);
    if !maker.scopes.contains(Scope::ApiKeysAdmin.as_str()) || !wanted.is_subset(&maker.scopes) {
        return "403 INSUFFICIENT_SCOPE".to_owned();
    }
    let is_shorter = match (maker.expires_at, draft.expires_at) {
        (None, _) => true,
        (Some(end), Some(at)) => at <= end,
        (Some(_), None) => false,
    };
    if is_shorter { "done".to_owned() } else { "422 VALIDATION_ERROR".to_owned() }
}

#[tokio::test]
async fn no_key_can_do_more_or_is_valid_for_longer_than_its_maker() {
    let world = world().await;
    let house = world.tenant("house").await;
    let person = house.person("second@house.example", Role::Admin).await;
    let draws = Draws(Entropy::seeded(13));
    let now = world.governance.clock().now();
    let mut keys: Vec<Known> = Vec::new();
    let mut refused = BTreeSet::new();
    for number in 0..ASKED {
        // The person makes the first of some lines; keys make all others.
        let parent = (keys.len() > 3 && draws.below(20) > 0).then(|| draws.below(keys.len()));
        let cx = match parent {
            Some(parent) => house.with_key(&keys[parent].secret).await,
            None => house.by(person).await,
        };
        let draft = ApiKeyDraft {
            name: format!("key {number}"),
            scopes: draws.scopes(),
            expires_at: draws.expiry(now),
        };
        let answer = parent.map_or_else(|| "done".to_owned(), |at| expected(&keys[at], &draft));
        let scopes = words(&draft.scopes);
        let expires_at = draft.expires_at;
        let made = api_key::create(&cx, draft).await;
        let is_as_expected = said(&made).starts_with(&answer);
        assert!(is_as_expected, "key {number}: {} instead of {answer}", said(&made));
        match made {
            Ok(made) => {
                let (id, secret) = (made.key.id, made.plaintext_key);
                keys.push(Known { id, secret, scopes, expires_at, parent });
            }
            Err(_) => drop(refused.insert(answer)),
        }
    }
    assert!(keys.len() > 20 && refused.len() == 2, "{} keys, {refused:?}", keys.len());
    assert!(keys.iter().any(|key| key.parent.is_some_and(|at| keys[at].parent.is_some())));
    for key in &keys {
        let mut maker = key.parent;
        while let Some(at) = maker {
            let ancestor = &keys[at];
            assert!(key.scopes.is_subset(&ancestor.scopes));
            let is_shorter =
                ancestor.expires_at.is_none_or(|end| key.expires_at.is_some_and(|own| own <= end));
            assert!(is_shorter);
            maker = ancestor.parent;
        }
    }
    // The store says the same as the model: makers, and the person for whom all of them act.
    let stored = "select id::text || coalesce(parent_key_id::text, '') || owner::text from api_keys \
                  where name like 'key %' order by sequence";
    let modelled = keys.iter().map(|key| {
        let parent = key.parent.map(|at| keys[at].id.to_string()).unwrap_or_default();
        format!("{}{parent}{person}", key.id)
    });
    assert_eq!(world.texts(stored).await, modelled.collect::<Vec<_>>());

    member::remove(&house.by_admin().await, person, None).await.unwrap();
    for key in &keys {
        let correlation_id = world.governance.correlation_id();
        let cx = world.governance.key(&key.secret, house.tenant, correlation_id).await;
        assert_eq!(said(&cx), "401 UNAUTHORIZED");
    }
}

/// The ids of the person's keys that are not revoked.
async fn live(world: &TestEnv, person: UserId) -> Vec<String> {
    let live = format!(
        "select id::text from key_digests k join api_keys a on a.id = k.api_key_id \
         where k.owner = '{person}' and k.revoked_at is null"
    );
    world.texts(&live).await
}

fn draft() -> ApiKeyDraft {
    let scopes = vec![Scope::ApiKeysAdmin, Scope::PoliciesRead];
    ApiKeyDraft { name: "program".to_owned(), scopes, expires_at: None }
}

/// An act of [`at_once`]: the key that it made, or how the removal ended.
type Act = Pin<Box<dyn Future<Output = (Option<Result<ApiKeyId>>, Option<Result<()>>)> + Send>>;

/// Makes a key while its maker is removed or demoted, and returns how both ended.
async fn at_once(
    world: &TestEnv,
    house: &TestTenant,
    person: UserId,
    by_key: bool,
    patch: Option<MemberPatch>,
) -> (Result<ApiKeyId>, Result<()>) {
    let minting = if by_key {
        let made = api_key::create(&house.by(person).await, draft()).await.unwrap();
        house.with_key(&made.plaintext_key).await
    } else {
        house.by(person).await
    };
    let removing = house.by_admin().await;
    let acts: [Act; 2] = [
        Box::pin(async move {
            let made = api_key::create(&minting, draft()).await;
            (Some(made.map(|made| made.key.id)), None)
        }),
        Box::pin(async move {
            let ended = match patch {
                Some(patch) => member::change_role(&removing, person, patch).await.map(drop),
                None => member::remove(&removing, person, None).await,
            };
            (None, Some(ended))
        }),
    ];
    let mut ended = (None, None);
    for (made, removed) in world.with_head_locked(acts).await {
        ended = (made.or(ended.0), removed.or(ended.1));
    }
    (ended.0.unwrap(), ended.1.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_that_is_made_while_its_maker_is_removed_is_revoked_or_not_made() {
    let world = world().await;
    let house = world.tenant("house").await;
    for round in 0..12 {
        let email = format!("leaving{round}@house.example");
        let person = house.person(&email, Role::Admin).await;
        let patch = (round % 3 == 0).then_some(MemberPatch { role: Role::Author, keys_to: None });
        let (made, removed) = at_once(&world, &house, person, round % 2 == 0, patch).await;
        assert_eq!(said(&removed), "done");
        if let Err(error) = made {
            let code = error.code();
            let is_designed = matches!(code, ErrorCode::Unauthorized | ErrorCode::Forbidden);
            assert!(is_designed, "round {round}: {error}");
        }
        assert_eq!(live(&world, person).await, [""; 0], "round {round}");
    }
}

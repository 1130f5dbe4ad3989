//! Who is let in: what changes about a key or a member counts from the next operation on.

use contract::scope::{Right, Role, Scope};
use governance::{
    Governance, Result, SignedIn,
    authoring::{policy, policy::version},
};

use crate::{
    fixtures::{NOW, TestTenant, payment, question, record, request, said, spending, world},
    log,
};

/// Whether the tenant's key is let in.
async fn knocked(house: &TestTenant) -> String {
    let governance = &house.governance;
    said(&governance.key(&house.key, house.tenant, governance.correlation_id()).await)
}

#[tokio::test]
async fn a_key_is_good_until_it_is_revoked_or_its_last_instant_has_come() {
    let world = world().await;
    let house = world.tenant("house").await;
    assert_eq!(knocked(&house).await, "done");
    let until = format!("update key_digests set expires_at = timestamptz '{NOW}'");
    world.execute_as_superuser(&format!("{until} + interval '1 millisecond'")).await;
    assert_eq!(knocked(&house).await, "done");
    world.governance.clock().advance(1);
    assert_eq!(knocked(&house).await, "401 UNAUTHORIZED");
    world.execute_as_superuser("update key_digests set expires_at = null").await;
    assert_eq!(knocked(&house).await, "done");
    world.execute_as_superuser(&format!("update key_digests set revoked_at = '{NOW}'")).await;
    assert_eq!(knocked(&house).await, "401 UNAUTHORIZED");
    // Another process, with nothing remembered, says the same.
    let elsewhere = house.in_process(&world.another_process(2).await);
    assert_eq!(knocked(&elsewhere).await, "401 UNAUTHORIZED");
}

#[tokio::test]
async fn the_store_never_holds_a_key_or_a_password() {
    let world = world().await;
    let house = world.tenant("house").await;
    let secret = house.key.strip_prefix("svc_").unwrap();
    let tables = "select tablename::text from pg_tables where schemaname = 'public'";
    for table in world.texts(tables).await {
        let rows = world.texts(&format!("select t::text from {table} t")).await.concat();
        for secret in [secret, "a long pass phrase", "another long pass phrase"] {
            assert!(!rows.contains(secret), "in {table}");
        }
    }
}

async fn entered(governance: &Governance, house: &TestTenant) -> Result<governance::Cx> {
    let now = governance.clock().now();
    let signed_in = SignedIn::of(house.author, now);
    governance.human(&signed_in, house.tenant, governance.correlation_id()).await
}

#[tokio::test]
async fn a_member_has_the_role_of_this_moment_and_a_former_one_has_none() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.drafted(&spending("PAY", 1)).await;
    let of_author = format!("where user_id = '{}'", house.author);
    world.execute_as_superuser(&format!("update members set role = 'viewer' {of_author}")).await;
    let cx = entered(&world.governance, &house).await.unwrap();
    assert_eq!(said(&version::submit(&cx, id, 1).await), "403 FORBIDDEN");
    assert_eq!(said(&policy::read(&cx, id, None).await), "done");
    world.execute_as_superuser(&format!("update members set role = 'author' {of_author}")).await;
    let cx = entered(&world.governance, &house).await.unwrap();
    assert_eq!(said(&version::submit(&cx, id, 1).await), "done");
    world.execute_as_superuser(&format!("delete from members {of_author}")).await;
    assert_eq!(said(&entered(&world.governance, &house).await), "403 FORBIDDEN");
}

#[tokio::test]
async fn each_role_evaluates_and_records_as_the_table_of_rights_says() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    for role in Role::ALL {
        let person = house.person(&format!("{role}-too@house.example"), role).await;
        let expect = |right| if role.has(right) { "done" } else { "403 FORBIDDEN" };
        let cx = house.by(person).await;
        let recorded = record(&cx, &request(role.as_str(), payment(1))).await;
        assert_eq!(said(&recorded), expect(Right::Author), "{role} records");
        let body = crate::fixtures::body(&question(payment(1)));
        let evaluated = governance::deciding::decision::evaluate(&cx, body).await;
        assert_eq!(said(&evaluated), expect(Right::Operate), "{role} evaluates");
    }
}

#[tokio::test]
async fn each_scope_opens_its_own_use_cases_and_no_others() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 100)).await;
    let decision = house.record(&request("k", payment(1))).await.unwrap().id;
    let page = governance::PageRequest::default();
    for scope in Scope::ALL.iter().copied().filter(|scope| scope.grantable()) {
        let key = house.key_with(&[scope]).await;
        let cx = house.with_key(&key).await;
        let expect = |needed| if scope == needed { "done" } else { "403 INSUFFICIENT_SCOPE" };
        macro_rules! asks {
            ($act:expr, $needed:ident) => {
                assert_eq!(
                    said(&$act.await),
                    expect(Scope::$needed),
                    "{scope}: {}",
                    stringify!($act)
                );
            };
        }
        asks!(policy::read(&cx, id, None), PoliciesRead);
        asks!(policy::list(&cx, contract::policy::PolicyFilter::default(), &page), PoliciesRead);
        asks!(version::all(&cx, id), PoliciesRead);
        // A grant opens its own version, too. This key has none.
        let read = if scope == Scope::AuthoringCapability {
            "403 AUTHORING_CAPABILITY_MISSING"
        } else {
            expect(Scope::PoliciesRead)
        };
        assert_eq!(said(&version::read(&cx, id, 1).await), read, "{scope}");
        asks!(governance::authoring::settings::read(&cx), PoliciesRead);
        let policy = crate::fixtures::body(&spending(
            &format!("BY-{}", scope.as_str().replace(':', "-")),
            1,
        ));
        asks!(policy::create(&cx, policy), PoliciesWrite);
        let question = crate::fixtures::body(&question(payment(1)));
        asks!(governance::deciding::decision::evaluate(&cx, question), DecisionsEvaluate);
        asks!(record(&cx, &request(scope.as_str(), payment(1))), DecisionsWrite);
        asks!(governance::deciding::decision::read(&cx, decision), DecisionsRead);
        let all = contract::decision::DecisionFilter::default();
        asks!(governance::deciding::decision::list(&cx, all, &page), DecisionsRead);
        asks!(governance::access::member::names(&cx), MembersRead);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_that_is_revoked_while_many_knock_is_refused_from_then_on() {
    let world = world().await;
    let house = world.tenant("house").await;
    let knocking: Vec<_> = (0..64)
        .map(|_| {
            let house = house.clone();
            tokio::spawn(async move {
                while knocked(&house).await == "done" {}
                // Refused once is refused for good.
                for _ in 0..4 {
                    assert_eq!(knocked(&house).await, "401 UNAUTHORIZED");
                }
            })
        })
        .collect();
    assert_eq!(knocked(&house).await, "done");
    world.execute_as_superuser(&format!("update key_digests set revoked_at = '{NOW}'")).await;
    // Whoever knocks after the revocation has committed is refused, however many wait.
    assert_eq!(knocked(&house).await, "401 UNAUTHORIZED");
    for one in knocking {
        one.await.unwrap();
    }
}

#[tokio::test]
async fn many_keys_at_once_are_told_apart() {
    let world = world().await;
    let houses = [world.tenant("one").await, world.tenant("two").await];
    let nobodys = TestTenant { key: "svc_nobody".to_owned(), ..houses[0].clone() };
    let crossed = TestTenant { key: houses[1].key.clone(), ..houses[0].clone() };
    let scoped = houses[0].key_with(&[Scope::PoliciesRead]).await;
    let knocks = [&houses[0], &houses[1], &nobodys, &crossed, &houses[0], &nobodys];
    let knocks = knocks.map(|house| {
        let house = house.clone();
        tokio::spawn(async move { knocked(&house).await })
    });
    let narrow = {
        let house = houses[0].clone();
        tokio::spawn(async move { house.with_key(&scoped).await })
    };
    let expected =
        ["done", "done", "401 UNAUTHORIZED", "403 FORBIDDEN", "done", "401 UNAUTHORIZED"];
    for (knock, expected) in knocks.into_iter().zip(expected) {
        assert_eq!(knock.await.unwrap(), expected);
    }
    let governance::base::caller::Caller::Key(key) = narrow.await.unwrap().caller else { panic!() };
    assert_eq!((key.tenant_id, key.scopes), (houses[0].tenant, vec![Scope::PoliciesRead]));
}

#[tokio::test]
async fn the_last_use_of_a_key_is_written_in_rounds_a_minute_apart() {
    const USED: &str = "select coalesce(to_char(last_used_at at time zone 'utc', 'HH24:MI:SS'), '-') \
                        from api_keys order by created_at, name desc";
    let world = world().await;
    let houses = [world.tenant("one").await, world.tenant("two").await];
    let clock = world.governance.clock().clone();
    let round = || world.governance.flush_key_usage(clock.now());
    assert_eq!(round().await.unwrap(), 0);
    assert_eq!(knocked(&houses[0]).await, "done");
    assert_eq!(world.texts(USED).await, ["-", "-"], "a request writes nothing");
    assert_eq!(round().await.unwrap(), 1);
    clock.advance(30_000);
    for house in &houses {
        assert_eq!(knocked(house).await, "done");
    }
    assert_eq!(round().await.unwrap(), 1, "the first key was written half a minute ago");
    let mut used = world.texts(USED).await;
    used.sort();
    assert_eq!(used, ["09:30:00", "09:30:30"]);
    clock.advance(30_000);
    assert_eq!(round().await.unwrap(), 1);
    assert_eq!(round().await.unwrap(), 0);
    assert_eq!(world.texts(USED).await, ["09:30:30", "09:30:30"]);
    // A key that is refused was not used, and an older process takes nothing back.
    world.execute_as_superuser("update api_keys set last_used_at = '2026-11-02T10:00:00Z'").await;
    world
        .execute_as_superuser(&format!(
            "update key_digests set revoked_at = '{NOW}' where tenant_id = '{}'",
            houses[1].tenant
        ))
        .await;
    clock.advance(60_000);
    assert_eq!(knocked(&houses[0]).await, "done");
    assert_eq!(knocked(&houses[1]).await, "401 UNAUTHORIZED");
    assert_eq!(round().await.unwrap(), 1);
    assert_eq!(world.texts(USED).await, ["10:00:00", "10:00:00"]);
    log::intact(&world, houses[0].tenant).await;
}

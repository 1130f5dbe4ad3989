//! Compiled rules: a rename compiles nothing, and a long evaluation leaves the async workers to other tasks.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    time::Duration,
};

use contract::policy::PolicyPatch;
use governance::{
    authoring::policy,
    base::observe::{Observed, Observer},
};
use tokio::sync::mpsc::unbounded_channel;

use crate::prelude::*;

#[testkit::test]
async fn only_changed_rules_are_compiled(env: TestEnv) {
    let compilations = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&compilations);
    let observer = Observer::new(move |observed| {
        if matches!(observed, Observed::Compiled) {
            counter.fetch_add(1, Relaxed);
        }
    });
    let process = env.observed_process(2, observer).await;
    let tenant = env.tenant("compiled").await.in_process(&process);
    let id = tenant.active_policy(&spending("PAY", 100)).await;
    tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
    assert_eq!(compilations.load(Relaxed), 1);

    for name in ["Another", "A third"] {
        let rename: PolicyPatch = body(&object([("name", name.into())]));
        policy::edit(&tenant.key_cx().await, id, rename, None).await.unwrap();
        let renamed = tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
        assert_eq!(renamed.evaluated_policies[0].policy_name, name);
        tenant.record(&request(name, payment(1))).await.unwrap();
    }
    assert_eq!(compilations.load(Relaxed), 1, "a rename compiles nothing");

    let second = tenant.next_draft(id, &limit("LIMIT", 50)).await;
    tenant.ratify(id, second).await;
    tenant.activate(id, second).await.unwrap();
    tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
    assert_eq!(compilations.load(Relaxed), 2);
}

#[testkit::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_long_evaluation_leaves_the_only_worker_to_other_tasks(env: TestEnv) {
    let (ask, mut asked) = unbounded_channel();
    let (answer, answered) = mpsc::channel();
    let answered = Mutex::new(answered);
    // Called within the evaluation: it ends only after the other task has run.
    let observer = Observer::new(move |observed| {
        if matches!(observed, Observed::Evaluated { .. }) {
            ask.send(()).unwrap();
            let answer = answered.lock().unwrap().recv_timeout(Duration::from_secs(30));
            answer.expect("another task runs during the evaluation");
        }
    });
    tokio::spawn(async move {
        while asked.recv().await.is_some() {
            answer.send(()).unwrap();
        }
    });
    let process = env.observed_process(2, observer).await;
    let tenant = env.tenant("long").await.in_process(&process);
    let rules = r#"[{"code":"BITS","rule_type":"pattern","severity":"low",
                     "condition":{"field":"bits","matches":"[01]{900}$"}}]"#;
    tenant.active_policy(&with(&spending("BITS", 1), "rules", value(rules))).await;
    let fields: Value = object([("bits", "01".repeat(10_000).into())]);
    let context = object([("decision_type", "payment".into()), ("fields", fields)]);
    let evaluating =
        tokio::spawn(async move { tenant.evaluate(&evaluate_request(context)).await.map(drop) });
    evaluating.await.unwrap().unwrap();
}

//! Comments on versions: threads, their state, mentions, and the comments of review records.

use crate::{mailbox::Mailbox, prelude::*};

/// Comments on a version and returns the response.
async fn post(author: &Client, version: &Version, body: &Value) -> TestResponse {
    author.post(version.action_path("comments"), body).await
}

/// Creates a comment and returns it.
async fn comment(author: &Client, version: &Version, body: &Value) -> Value {
    post(author, version, body).await.expect(201)
}

/// Resolves or reopens the thread of a comment.
async fn act(person: &Client, version: &Version, comment: &Value, action: &str) -> TestResponse {
    let path = version.action_path(&format!("comments/{}/{action}", text(&comment["id"])));
    person.post(path, &json!({})).await
}

async fn list(person: &Client, version: &Version) -> Value {
    person.get(version.action_path("comments")).await.expect(200)
}

/// Returns the number of audit events about comments.
async fn event_count(service: &TestService) -> String {
    let count = "select count(*)::text from audit_events where object_type = 'comment'";
    service.sql(count).await.concat()
}

#[testkit::test]
async fn replies_belong_to_the_first_entry_of_their_thread(service: TestService) {
    let version = service.draft("PAY-01").await;
    let (author, reviewer) = (service.author().await, service.reviewer().await);
    let viewer = service.signed_in_member(Role::Viewer).await;
    let body = json!({"text": "Is this per day?", "rule_code": "AMOUNT"});
    let response = post(reviewer, &version, &body).await;
    assert_eq!(response.header("location"), Some(&*version.action_path("comments")));
    let first = response.expect(201);
    let expected = json!({
        "id": first["id"], "version": 1, "draft_revision": 1, "rule_code": "AMOUNT",
        "text": "Is this per day?", "author": user_id(reviewer).await, "created_at": NOW,
    });
    assert_eq!(first, expected);
    let edit = json!({"expected_revision": 1, "change_reason": "per day"});
    author.patch(version.path(), &edit).await.expect(200);
    let reply =
        comment(author, &version, &json!({"text": "Yes.", "in_reply_to": first["id"]})).await;
    assert_eq!((&reply["in_reply_to"], &reply["draft_revision"]), (&first["id"], &json!(2)));
    let body = json!({"text": "Thanks.", "in_reply_to": reply["id"]});
    let answer = comment(&viewer, &version, &body).await;
    assert_eq!(answer["in_reply_to"], first["id"], "a reply to a reply is in the same thread");
    let other = comment(author, &version, &json!({"text": "Another thread"})).await;
    let page = list(&viewer, &version).await;
    assert_eq!(page, json!({"items": [other, answer, reply, first], "next_cursor": null}));
    // A closed version keeps its thread.
    author.post(version.action_path("set-aside"), &json!({"reason": "late"})).await.expect(200);
    comment(author, &version, &json!({"text": "Too late", "in_reply_to": first["id"]})).await;
}

#[testkit::test]
async fn comment_names_a_rule_and_a_comment_of_its_version(service: TestService) {
    let (version, other) = (service.draft("PAY-01").await, service.draft("PAY-02").await);
    let author = service.author().await;
    let elsewhere = comment(author, &other, &json!({"text": "elsewhere"})).await;
    let body = json!({"text": "x", "rule_code": "NONE", "in_reply_to": elsewhere["id"]});
    let refused = post(author, &version, &body).await.field_errors();
    assert_eq!(refused, "/rule_code unknown\n/in_reply_to unknown\n");
    comment(author, &version, &json!({"text": "é".repeat(4_000)})).await;
    // A rule that was removed from the draft is unknown.
    comment(author, &version, &json!({"text": "x", "rule_code": "AMOUNT"})).await;
    let edit = json!({"expected_revision": 1, "rules": []});
    author.patch(version.path(), &edit).await.expect(200);
    let refused = post(author, &version, &json!({"text": "x", "rule_code": "AMOUNT"})).await;
    assert_eq!(refused.field_errors(), "/rule_code unknown\n");
    assert_snapshot!(act(author, &version, &elsewhere, "resolve").await, @"404 NOT_FOUND");
}

#[testkit::test]
async fn first_entry_of_a_thread_is_resolved_and_reopened(service: TestService) {
    let version = service.draft("PAY-01").await;
    let (author, reviewer) = (service.author().await, service.reviewer().await);
    let first = comment(reviewer, &version, &json!({"text": "a question"})).await;
    let reply = json!({"text": "an answer", "in_reply_to": first["id"]});
    let reply = comment(author, &version, &reply).await;
    assert_eq!(act(author, &version, &first, "reopen").await.expect(200), first, "it is open");
    let resolved = act(author, &version, &first, "resolve").await.expect(200);
    assert_eq!(
        (&resolved["resolved_at"], &resolved["resolved_by"]),
        (&json!(NOW), &user_id(author).await)
    );
    // A repetition changes nothing and appends no event.
    service.clock.advance(MINUTE_MS);
    let events = event_count(&service).await;
    assert_eq!(act(reviewer, &version, &first, "resolve").await.expect(200), resolved);
    assert_eq!(event_count(&service).await, events);
    assert_eq!(list(author, &version).await["items"], json!([reply, resolved]));
    assert_eq!(act(reviewer, &version, &first, "reopen").await.expect(200), first);
    for action in ["resolve", "reopen"] {
        let refused = act(author, &version, &reply, action).await;
        assert_eq!(refused.to_string(), "409 CONFLICT", "{action}");
        assert_eq!(refused.details(), json!({"first": first["id"]}));
    }
}

#[testkit::test]
async fn comments_of_a_review_record_are_first_entries_of_threads(service: TestService) {
    let version = service.draft("PAY-01").await;
    let (author, reviewer) = (service.author().await, service.reviewer().await);
    comment(author, &version, &json!({"text": "before the review"})).await;
    let submission = service.seal(&version).await;
    let body = json!({
        "verdict": "RETURN",
        "comments": [{"rule_code": "AMOUNT", "text": "per day"}, {"unit_id": "s-12", "text": "read"}],
        "note": "not a comment",
    });
    let record = service.record_review(&version, &submission, &body).await;
    let page = list(author, &version).await;
    assert_eq!(texts(&page, "text"), ["read", "per day", "before the review"]);
    let first = &items(&page)[1];
    let expected = json!({
        "id": first["id"], "version": 1, "draft_revision": 1, "rule_code": "AMOUNT",
        "text": "per day", "author": user_id(reviewer).await, "record_id": record["id"],
        "created_at": NOW,
    });
    assert_eq!(*first, expected);
    assert_eq!(items(&page)[0]["unit_id"], "s-12");
    assert_eq!(list(reviewer, &version).await, page, "the ids are stable");
    // Replies and the state of the thread leave the record unchanged.
    let reply = json!({"text": "done", "in_reply_to": first["id"]});
    assert_eq!(comment(author, &version, &reply).await["in_reply_to"], first["id"]);
    let resolved = act(author, &version, first, "resolve").await.expect(200);
    assert_eq!((&resolved["text"], &resolved["resolved_at"]), (&json!("per day"), &json!(NOW)));
    let submissions = service.key.get(version.action_path("submissions")).await.expect(200);
    assert_eq!(submissions["items"][0]["records"], json!([record]));
    let stored = "select encode(sha256(convert_to(record, 'UTF8')), 'hex') from review_records";
    assert_eq!(service.sql(stored).await, [text(&record["record_digest"])]);
}

#[tokio::test]
async fn mentioned_members_get_a_mail_without_the_comment() {
    let (service, mailbox) = Mailbox::start().await;
    let version = service.draft("PAY-01").await;
    let reviewer = service.member(Role::Reviewer).await;
    let author = service.author().await;
    let body = format!(
        "@{} @{reviewer}, see also @{reviewer} and @unknown@acme.example: secret words",
        service.admin_email.to_uppercase()
    );
    comment(author, &version, &json!({"text": body})).await;
    for address in [&*service.admin_email, &*reviewer] {
        let messages = mailbox.messages(&service, address).await;
        let [message] = &messages[..] else { panic!("{} mails to {address}", messages.len()) };
        assert_eq!(message.subject.as_str(), "You were mentioned on Payments v1");
        let page = format!(
            "https://govern.acme.example/t/{}/policies/{}/versions/1\n",
            service.tenant, version.policy
        );
        assert!(message.body.contains(&page), "{}", message.body);
        assert!(!message.body.contains("secret words"), "{}", message.body);
    }
    // The comments of a review record mention members too, and a member gets one mail for all of them.
    let submission = service.seal(&version).await;
    let comments = json!([{"text": format!("@{reviewer}")}, {"text": format!("(@{reviewer})")}]);
    let record = json!({"verdict": "RETURN", "comments": comments});
    service.record_review(&version, &submission, &record).await;
    assert_eq!(mailbox.messages(&service, &reviewer).await.len(), 2);
    // Members of other tenants are not mentioned.
    service.other_tenant().await;
    comment(author, &version, &json!({"text": "@admin@neighbour.example"})).await;
    let mails = mailbox.messages(&service, "admin@neighbour.example").await;
    assert!(mails.iter().all(|mail| !mail.subject.as_str().contains("mentioned")));
    assert_eq!(service.sql("select count(*)::text from comment_mentions").await, ["4"]);
}

#[testkit::test]
async fn audit_events_of_comments_contain_ids_but_no_text(service: TestService) {
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let first = comment(author, &version, &json!({"text": "secret words"})).await;
    act(author, &version, &first, "resolve").await.expect(200);
    let reply = json!({"text": "secret words", "in_reply_to": first["id"]});
    comment(author, &version, &reply).await;
    let log = service.key.get("/v1/audit-log?object_type=comment").await.expect(200);
    assert_eq!(texts(&log, "action"), ["comment.create", "comment.resolve", "comment.create"]);
    assert_eq!(items(&log)[1]["object"]["id"], first["id"]);
    let details = &items(&log)[0]["details"];
    assert_eq!((&details["in_reply_to"], &details["version"]), (&first["id"], &json!(1)));
    assert!(!log.to_string().contains("secret words"));
}

#[testkit::test]
async fn comments_are_deleted_with_their_draft(service: TestService) {
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let first = json!({"text": format!("@{}", service.admin_email)});
    let first = comment(author, &version, &first).await;
    comment(author, &version, &json!({"text": "a reply", "in_reply_to": first["id"]})).await;
    author.delete(version.path()).await;
    assert_snapshot!(author.get(version.action_path("comments")).await, @"404 NOT_FOUND");
    let left = "select (select count(*) from version_comments) || ' ' || \
                (select count(*) from comment_mentions)";
    assert_eq!(service.sql(left).await, ["0 0"]);
}

//! Sending, judging and signing a version at browsers without scripts: every act is a plain post.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    codification::codified,
    console_editor::form,
    console_pages::{Browser, attribute},
    service::{TestService, Version, world},
};

/// A version as it is now.
async fn read(world: &TestService, version: &Version) -> Value {
    world.key.get(version.path()).await.expect(200)
}

fn pages(version: &Version) -> String {
    format!("policies/{}/versions/{}", version.policy, version.number)
}

/// Sends the form of an act on what the version is now.
async fn act(
    world: &TestService,
    browser: &Browser<'_>,
    version: &Version,
    word: &str,
    more: &[(&str, &str)],
) -> TestResponse {
    let now = read(world, version).await;
    let (tenant, number) = (browser.tenant(), version.number.to_string());
    let revision = now["draft_revision"].to_string();
    let mut fields = vec![
        ("form[act]", word),
        ("form[tenant]", &tenant),
        ("form[policy]", &version.policy),
        ("form[version]", &number),
        ("form[revision]", &revision),
        ("form[digest]", text(&now["rules_digest"])),
        ("form[status]", text(&now["status"])),
    ];
    fields.extend(more);
    browser.post("/console/act-on-version", &form(&fields)).await
}

/// Sends the form of a review of the newest submission.
async fn review(
    world: &TestService,
    browser: &Browser<'_>,
    version: &Version,
    more: &[(&str, &str)],
) -> TestResponse {
    let now = read(world, version).await;
    let submissions = world.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let (tenant, number) = (browser.tenant(), version.number.to_string());
    let revision = now["draft_revision"].to_string();
    let mut fields = vec![
        ("place[tenant]", tenant.as_str()),
        ("place[policy]", &version.policy),
        ("place[version]", &number),
        ("place[submission]", text(&submissions["items"][0]["id"])),
        ("form[revision]", &revision),
        ("form[digest]", text(&now["rules_digest"])),
    ];
    fields.extend(more);
    browser.post("/console/record-review", &form(&fields)).await
}

/// Sends the one form of a page that records a review, as it stands.
async fn send(browser: &Browser<'_>, page: &str) -> TestResponse {
    let held = part(page, "action=\"/console/record-review\"", "</form>");
    let inputs = held.split("<input type=\"hidden\"").skip(1);
    let fields = inputs.map(|input| (attribute(input, "name"), attribute(input, "value")));
    let fields: Vec<(&str, &str)> = fields.collect();
    browser.post("/console/record-review", &form(&fields)).await
}

async fn records(world: &TestService, version: &Version) -> Vec<Value> {
    let submissions = world.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let items = submissions["items"].as_array().cloned().unwrap_or_default();
    items.iter().flat_map(|one| one["records"].as_array().cloned().unwrap_or_default()).collect()
}

#[tokio::test]
async fn a_version_is_sent_returned_answered_accepted_ratified_and_activated() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    let author = Browser::of(&world, &author);
    let reviewer = Browser::of(&world, &world.person(Role::Reviewer).await);
    let ratifier = Browser::of(&world, &world.person(Role::Ratifier).await);
    let page = format!("{}/review", pages(&version));

    let sent = act(&world, &author, &version, "Send", &[]).await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    assert_eq!(read(&world, &version).await["status"], "submitted");
    let shown = reviewer.page(&page).await.text;
    for said in ["added", "AMOUNT", "Viewed 0 of 3", "Accept"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }

    // A return needs a reason; then it becomes a record with its remarks.
    review(&world, &reviewer, &version, &[("form[verdict]", "RETURN")]).await;
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("Say why it goes back"), "{shown}");
    assert!(records(&world, &version).await.is_empty());
    let bare = reviewer.page(&format!("{page}/return")).await.text;
    assert!(bare.contains("A return needs a note") && !bare.contains("record-review"), "{bare}");
    let remark = [
        ("form[verdict]", "RETURN"),
        ("form[comments][AMOUNT]", "Per day, not per payment."),
        ("form[note]", "One remark."),
    ];
    let asked = review(&world, &reviewer, &version, &remark).await;
    let sheet = reviewer.at(&format!("{page}/return"));
    assert_eq!(asked.header("location"), Some(&*sheet), "{}", asked.text);
    assert!(records(&world, &version).await.is_empty(), "nothing is recorded by choosing");
    let shown = reviewer.page(&format!("{page}/return")).await.text;
    let digest = read(&world, &version).await["rules_digest"].clone();
    for said in ["Per day, not per payment.", "One remark.", "Return v1", text(&digest)] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    send(&reviewer, &shown).await;
    let [returned] = &*records(&world, &version).await else { panic!("one record") };
    assert_eq!(
        (&returned["verdict"], &returned["note"], &returned["comments"]),
        (
            &json!("RETURN"),
            &json!("One remark."),
            &json!([{"rule_code": "AMOUNT", "text": "Per day, not per payment."}])
        )
    );
    let shown = author.page(&page).await.text;
    assert!(shown.contains("Per day, not per payment."), "{shown}");
    let inbox = author.page("inbox").await.text;
    assert!(inbox.contains("Answer a return"), "{inbox}");

    // The author answers: the page of the send names the return by itself.
    act(&world, &author, &version, "Recall", &[]).await;
    let answer = json!({"expected_revision": 1, "rules": crate::service::rules(500)});
    world.key.patch(version.path(), &answer).await.expect(200);
    let shown = author.page(&format!("{}/send", pages(&version))).await.text;
    assert!(shown.contains("One remark.") && shown.contains(text(&returned["id"])), "{shown}");
    let answers = [("form[answers]", text(&returned["id"]))];
    act(&world, &author, &version, "Send", &answers).await;
    assert_eq!(read(&world, &version).await["status"], "submitted");
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("outdated"), "{shown}");

    // Accepting tells what is open, and records nothing before it was told.
    review(&world, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let shown = reviewer.page(&format!("{page}/accept")).await.text;
    assert!(shown.contains("3 changed rules are not marked as viewed"), "{shown}");
    let accepted = send(&reviewer, &shown).await;
    assert!(accepted.header("location").is_some_and(|page| page.ends_with("?done=accept")));
    let inbox = ratifier.page("inbox").await.text;
    assert!(inbox.contains("Ratify"), "{inbox}");

    let shown = ratifier.page(&format!("{}/ratify", pages(&version))).await.text;
    let record = records(&world, &version).await.remove(0);
    assert!(shown.contains(text(&record["record_digest"]).get(..8).expect("a digest")), "{shown}");
    act(&world, &ratifier, &version, "Ratify", &[("form[read]", "yes")]).await;
    assert_eq!(read(&world, &version).await["status"], "ratified");
    let approval = world.key.get(format!("{}/approval", version.path())).await.expect(200);
    let key = text(&approval["approval"]["kid"]);
    assert!(shown.contains(key), "the page names the key that signs: {key}: {shown}");
    act(&world, &ratifier, &version, "Activate", &[("form[read]", "yes")]).await;
    assert_eq!(read(&world, &version).await["is_active"], true);
    let inbox = ratifier.page("inbox?tab=done").await.text;
    assert!(inbox.contains("Activated") && inbox.contains("Ratified"), "{inbox}");
}

#[tokio::test]
async fn marks_and_remarks_are_kept_and_a_mark_goes_when_its_rule_changes() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    act(&world, &Browser::of(&world, &author), &version, "Send", &[]).await;
    let reviewer = Browser::of(&world, &world.person(Role::Reviewer).await);
    let page = format!("{}/review", pages(&version));
    let shown = reviewer.page(&page).await.text;
    let mark = |code: &str, page: &str| {
        let start = page.find(&format!("value=\"{code} ")).expect("a mark") + 7;
        page[start..].split('"').next().expect("its end").to_owned()
    };
    let (amount, purpose) = (mark("AMOUNT", &shown), mark("PURPOSE", &shown));
    let keep = [
        ("form[verdict]", ""),
        ("form[viewed][]", amount.as_str()),
        ("form[viewed][]", purpose.as_str()),
        ("form[comments][TAX]", "Which union?"),
    ];
    review(&world, &reviewer, &version, &keep).await;
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("Viewed 2 of 3") && shown.contains("Which union?"), "{shown}");
    assert!(records(&world, &version).await.is_empty(), "nothing is recorded by keeping");

    world.key.post(version.act("recall"), &json!({})).await.expect(200);
    let changed = json!({"expected_revision": 1, "rules": crate::service::rules(7)});
    world.key.patch(version.path(), &changed).await.expect(200);
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("Sealed r1, now r2") && !shown.contains("record-review"), "{shown}");
    act(&world, &Browser::of(&world, &author), &version, "Send", &[]).await;
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("Viewed 1 of 3"), "{shown}");
}

#[tokio::test]
async fn a_draft_is_corrected_in_a_new_one_and_set_aside() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    let author = Browser::of(&world, &author);
    let because = [("form[text]", "The limit was too low.")];
    let corrected = act(&world, &author, &version, "Supersede", &because).await;
    let page = author.at(&format!("policies/{}/versions/2/edit", version.policy));
    assert_eq!(corrected.header("location"), Some(&*page), "{}", corrected.text);
    let replaced = read(&world, &version).await;
    assert_eq!(
        (&replaced["status"], &replaced["closed_reason"]),
        (&json!("replaced"), &json!("The limit was too low."))
    );
    let second = Version { policy: version.policy.clone(), number: 2 };
    assert_eq!(read(&world, &second).await["rules"].as_array().map(Vec::len), Some(3));
    let refused = act(&world, &author, &second, "SetAside", &[]).await;
    assert!(refused.header("location").is_some_and(|page| page.ends_with("/set-aside")));
    act(&world, &author, &second, "SetAside", &because).await;
    assert_eq!(read(&world, &second).await["status"], "set_aside");
}

#[tokio::test]
async fn whoever_sent_it_does_not_review_it_and_readers_have_no_inbox() {
    let world = world().await;
    let both = world.person(Role::Ratifier).await;
    let version = crate::service::drafted(&both, "SPEND").await;
    let both = Browser::of(&world, &both);
    act(&world, &both, &version, "Send", &[]).await;
    let shown = both.page(&format!("{}/review", pages(&version))).await.text;
    assert!(shown.contains("You sent this version. Someone else must review it."), "{shown}");
    let shown = both.page(&format!("{}/review/accept", pages(&version))).await.text;
    assert!(shown.contains("You sent this version.") && !shown.contains("record-review"));
    let forged = [("form[verdict]", "ACCEPT"), ("form[confirmed]", "yes")];
    review(&world, &both, &version, &forged).await;
    assert!(records(&world, &version).await.is_empty());
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    assert_eq!(viewer.page("inbox").await.status, 403);
    let shown = viewer.page(&format!("{}/review", pages(&version))).await;
    assert_eq!(shown.status, 200);
    assert!(!shown.text.contains("record-review"), "{}", shown.text);
}

/// The part of a page from `start` to the next `end`.
fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let from = page.find(start).unwrap_or_else(|| panic!("no {start}: {page}"));
    page[from..].split(end).next().unwrap_or_default()
}

/// A sealed version with the clauses that it comes from.
async fn codified_and_sent(world: &TestService) -> Version {
    let author = world.person(Role::Author).await;
    let mut body = codified("SPEND");
    body["codification"]["clauses"][0]["text"] =
        json!(format!("A payment may not exceed 9,000 euros. {}<b>", "And so on. ".repeat(80)));
    let made = author.post("/v1/policies", &body).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    act(world, &Browser::of(world, &author), &version, "Send", &[]).await;
    version
}

#[tokio::test]
async fn beside_each_rule_stands_its_clause_with_what_the_lint_says() {
    let world = world().await;
    let version = codified_and_sent(&world).await;
    let page = format!("{}/review", pages(&version));
    let reviewer = Browser::of(&world, &world.person(Role::Reviewer).await);
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    // The same for whoever judges and for whoever only reads.
    for browser in [&reviewer, &viewer] {
        let shown = browser.page(&page).await.text;
        let amount = part(&shown, "aria-label=\"AMOUNT\"", "</article>");
        for said in ["section 1", "may not exceed 9,000 euros", "number_not_in_rule", "confidence"]
        {
            assert!(amount.contains(said), "{said}: {amount}");
        }
        assert!(
            amount.contains("Show the whole clause") && amount.contains("&lt;b&gt;"),
            "{amount}"
        );
        let purpose = part(&shown, "aria-label=\"PURPOSE\"", "</article>");
        assert!(purpose.contains("should have a purpose") && purpose.contains("as we do it"));
        assert!(!purpose.contains("confidence"), "nothing was found: {purpose}");
        let tax = part(&shown, "aria-label=\"TAX\"", "</article>");
        assert!(tax.contains("section 3(a)") && tax.contains("obligation_as_guidance"), "{tax}");

        // What became no rule stands apart, with what became of it.
        let others = part(&shown, "aria-labelledby=\"other-clauses\"", "</section>");
        for said in [
            "section 4",
            "No rule can say it",
            "vague_term",
            "Which text does this clause refer to?",
            "section 5",
            "Asks for nothing",
        ] {
            assert!(others.contains(said), "{said}: {others}");
        }
        assert!(!others.contains("section 3(a)"), "{others}");
        let strip = part(&shown, "aria-labelledby=\"codification\"", "</section>");
        for said in ["Payment handbook", "5 clauses", "3 became a rule", "builtin/1", "60 %"] {
            assert!(strip.contains(said), "{said}: {strip}");
        }
    }
}

#[tokio::test]
async fn rules_that_stay_the_same_have_their_clauses_beside_them_too() {
    let world = world().await;
    let version = codified_and_sent(&world).await;
    world.ratify(&version).await;
    world.activate(&version).await;
    let mut next = codified("SPEND");
    let mut rules = next["rules"].take();
    rules[0]["severity"] = json!("critical");
    let body = json!({"rules": rules, "codification": next["codification"]});
    let path = format!("{}/versions", version.of());
    world.author().await.post(path, &body).await.expect(201);
    let second = Version { number: 2, ..version };
    let browser = Browser::of(&world, world.reviewer().await);
    let shown = browser.page(&format!("{}/review", pages(&second))).await.text;
    let amount = part(&shown, "aria-label=\"AMOUNT\"", "</article>");
    assert!(amount.contains("exceed 10,000 euros"), "{amount}");
    let same = part(&shown, "The same in both: 2 rules", "</details>");
    assert!(same.contains("should have a purpose") && same.contains("section 3(a)"), "{same}");
}

#[tokio::test]
async fn without_a_codification_the_page_says_so_in_one_line() {
    let world = world().await;
    let version = world.submitted("SPEND").await;
    let browser = Browser::of(&world, world.reviewer().await);
    let shown = browser.page(&format!("{}/review", pages(&version))).await.text;
    assert_eq!(shown.matches("These rules were written without clauses.").count(), 1);
    for absent in ["Linted by", "other-clauses", "class=\"clause\""] {
        assert!(!shown.contains(absent), "{absent}");
    }
}

#[tokio::test]
async fn all_rules_are_marked_as_viewed_by_one_press() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    act(&world, &Browser::of(&world, &author), &version, "Send", &[]).await;
    let reviewer = Browser::of(&world, &world.person(Role::Reviewer).await);
    let page = format!("{}/review", pages(&version));
    assert!(reviewer.page(&page).await.text.contains("Mark all as viewed"));
    let all = [("form[all]", "yes"), ("form[comments][TAX]", "Which union?")];
    review(&world, &reviewer, &version, &all).await;
    let shown = reviewer.page(&page).await.text;
    assert!(shown.contains("Viewed 3 of 3") && shown.contains("Which union?"), "{shown}");
    assert!(!shown.contains("Mark all as viewed"), "{shown}");
    assert!(records(&world, &version).await.is_empty(), "nothing is recorded by marking");
}

#[tokio::test]
async fn a_ratifier_takes_a_policy_out_of_force_with_a_reason() {
    let world = world().await;
    let version = world.active("SPEND").await;
    let (policy, tenant) = (version.policy.clone(), world.tenant.to_string());
    let ratifier = Browser::of(&world, world.ratifier().await);
    let page = format!("policies/{policy}/deactivate");
    let send = async |browser: &Browser<'_>, seen: &str, reason: &str| {
        let fields =
            [("tenant", &*tenant), ("policy", &*policy), ("version", seen), ("reason", reason)];
        let sent = browser.client("theme=dark").call("POST", "/console/deactivate-policy");
        sent.body(crate::console_pages::FORM, form(&fields)).await
    };
    assert!(ratifier.page(&format!("policies/{policy}")).await.text.contains("/deactivate\""));
    let shown = ratifier.page(&page).await.text;
    for said in ["Deactivate v1", "SPEND", "payment", "from the very next decision on"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    // Without a reason, or after another version was activated, nothing happens; what was typed stays.
    for (seen, reason, said) in [
        ("1", "", "Give a reason of 1 to 500 characters"),
        ("7", "It is a mistake.", "Another version was activated"),
    ] {
        let refused = send(&ratifier, seen, reason).await;
        assert_eq!(refused.header("location"), Some(&*ratifier.at(&page)), "{}", refused.text);
        let shown = ratifier.page(&page).await.text;
        assert!(shown.contains(said) && shown.contains(reason), "{said}: {shown}");
    }
    assert_eq!(read(&world, &version).await["is_active"], true);

    // Nobody else sees the way there, and the page and its post are not for them.
    let author = Browser::of(&world, world.author().await);
    let shown = author.page(&format!("policies/{policy}")).await.text;
    assert!(!shown.contains("/deactivate\""), "{shown}");
    assert_eq!(author.page(&page).await.status, 403);
    send(&author, "1", "It is a mistake.").await;
    assert_eq!(read(&world, &version).await["is_active"], true);

    let done = send(&ratifier, "1", "It is a mistake.").await;
    let location = ratifier.at(&format!("policies/{policy}"));
    assert_eq!((done.status, done.header("location")), (303, Some(&*location)));
    assert_eq!(read(&world, &version).await["is_active"], false);
    let shown = ratifier.page(&format!("policies/{policy}")).await.text;
    assert!(shown.contains("Decisions do not use this policy."), "{shown}");
    assert!(ratifier.page(&page).await.text.contains("Decisions do not use this policy."));
}

#[tokio::test]
async fn a_send_that_cannot_submit_seals_nothing() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    let author = Browser::of(&world, &author);
    // The store refuses the second step.
    for statement in [
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'no'; end $$",
        "create trigger z_refuse before update on policy_versions for each row \
         when (new.status = 'submitted') execute function refuse()",
    ] {
        world.sql(statement).await;
    }
    let count = async || world.sql("select count(*)::text from review_submissions").await;
    let events = async || {
        let sealed = "select count(*)::text from audit_events where action = 'policy_version.seal'";
        world.sql(sealed).await
    };
    act(&world, &author, &version, "Send", &[]).await;
    assert_eq!((count().await, events().await), (vec!["0".to_owned()], vec!["0".to_owned()]));
    world.sql("drop trigger z_refuse on policy_versions").await;
    act(&world, &author, &version, "Send", &[]).await;
    assert_eq!((count().await, events().await), (vec!["1".to_owned()], vec!["1".to_owned()]));
    assert_eq!(read(&world, &version).await["status"], "submitted");
}

#[tokio::test]
async fn an_act_on_a_version_whose_status_is_not_the_shown_one_is_refused() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    let author = Browser::of(&world, &author);
    let page = pages(&version);
    // Shown as submitted, it was recalled meanwhile, and the other way round.
    for (shown, then) in [("submitted", "submit"), ("draft", "recall")] {
        let stale = [("form[status]", shown), ("form[text]", "No longer needed.")];
        let mut fields = stale.to_vec();
        let now = read(&world, &version).await;
        let (tenant, revision) = (author.tenant(), now["draft_revision"].to_string());
        fields.extend([
            ("form[act]", "SetAside"),
            ("form[tenant]", &*tenant),
            ("form[policy]", &*version.policy),
            ("form[version]", "1"),
            ("form[revision]", &*revision),
            ("form[digest]", text(&now["rules_digest"])),
        ]);
        author.post("/console/act-on-version", &form(&fields)).await;
        let told = author.page(&format!("{page}/set-aside")).await.text;
        assert!(told.contains("This version is now"), "{told}");
        assert_eq!(read(&world, &version).await["status"], now["status"]);
        world.author().await.post(version.act(then), &json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn an_activation_replaces_the_version_that_was_shown_or_nothing() {
    let world = world().await;
    let first = world.active("SPEND").await;
    let second = world.successor(&first, &crate::service::rules(9_000)).await;
    let ratifier = Browser::of(&world, world.ratifier().await);
    let page = format!("{}/activate", pages(&second));
    let shown = ratifier.page(&page).await.text;
    assert_eq!(crate::console_pages::hidden(&shown, "form[replaces]"), "1");
    let reason = json!({"reason": "a pause"});
    let deactivate = format!("{}/deactivate", first.of());
    world.ratifier().await.post(deactivate, &reason).await.expect(200);
    let activate = async |replaces: &str| {
        let more = [("form[read]", "yes"), ("form[replaces]", replaces)];
        act(&world, &ratifier, &second, "Activate", &more).await;
    };
    activate("1").await;
    assert!(ratifier.page(&page).await.text.contains("Another version was activated"));
    assert_eq!(read(&world, &second).await["is_active"], false);
    activate("").await;
    assert_eq!(read(&world, &second).await["is_active"], true);
}

#[tokio::test]
async fn a_review_records_the_revision_that_was_read_and_no_other() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let version = crate::service::drafted(&author, "SPEND").await;
    let reviewer = Browser::of(&world, &world.person(Role::Reviewer).await);
    author.post(version.act("seal"), &json!({})).await.expect(201);
    let page = format!("{}/review", pages(&version));
    // What the person read and is about to record.
    review(&world, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let sheet = reviewer.page(&format!("{page}/accept")).await.text;
    let digest = read(&world, &version).await["rules_digest"].clone();
    assert!(sheet.contains(text(&digest)), "{sheet}");
    // The author edits and seals the draft anew.
    let edit = json!({"expected_revision": 1, "rules": crate::service::rules(500)});
    author.patch(version.path(), &edit).await.expect(200);
    author.post(version.act("seal"), &json!({})).await.expect(201);
    // The page that was open before records nothing, and says why.
    send(&reviewer, &sheet).await;
    assert!(records(&world, &version).await.is_empty());
    let told = reviewer.page(&page).await.text;
    assert!(told.contains("The draft moved to r2 while you read."), "{told}");
    // The page that is opened now does not stand in for a reading of the new revision.
    let again = reviewer.page(&format!("{page}/accept")).await.text;
    assert!(again.contains("The version changed while you read it"), "{again}");
    assert!(!again.contains("record-review"), "{again}");
    // Nor does the new submission take the old revision's form.
    let submissions = world.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let old = crate::console_pages::hidden(&sheet, "place[submission]");
    let forged = sheet.replace(&old, text(&submissions["items"][0]["id"]));
    send(&reviewer, &forged).await;
    assert!(records(&world, &version).await.is_empty());
    review(&world, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let sheet = reviewer.page(&format!("{page}/accept")).await.text;
    send(&reviewer, &sheet).await;
    let [record] = &*records(&world, &version).await else { panic!("one record") };
    assert_eq!(record["submission_id"], submissions["items"][0]["id"]);
}

#[tokio::test]
async fn policies_groups_and_settings_are_changed_as_they_were_shown_or_not() {
    use crate::console_pages::hidden;
    let world = world().await;
    let admin = Browser::of(&world, &world.admin().await);
    let version = world.draft("SPEND").await;
    let tenant = world.tenant.to_string();
    let group = json!({"code": "LENDING", "name": "Lending"});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();

    let page = format!("policies/{}/details", version.policy);
    let seen = hidden(&admin.page(&page).await.text, "form[seen]");
    world.key.patch(version.of(), &json!({"name": "Other words"})).await.expect(200);
    let fields = [("policy", &*version.policy), ("form[name]", "Mine")];
    let fields = [&fields[..], &[("form[seen]", &*seen)]].concat();
    admin.post("/console/edit-policy", &form(&fields)).await;
    assert!(admin.page(&page).await.text.contains("The policy was changed meanwhile"));
    assert_eq!(world.key.get(version.of()).await.expect(200)["name"], "Other words");

    let page = format!("groups/{group}");
    let shown = admin.page(&page).await.text;
    let (edited, seen) = (hidden(&shown, "form[seen]"), hidden(&shown, "seen"));
    let path = format!("/v1/policy-groups/{group}");
    world.key.patch(&path, &json!({"name": "Loans"})).await.expect(200);
    let fields = [("id", &*group)];
    let change = [("form[code]", "LENDING"), ("form[name]", "Mine"), ("form[seen]", &*edited)];
    admin.post("/console/edit-group", &form(&[&fields[..], &change].concat())).await;
    assert!(admin.page(&page).await.text.contains("The policy group was changed meanwhile"));
    let delete = [&fields[..], &[("seen", &*seen)]].concat();
    admin.post("/console/delete-group", &form(&delete)).await;
    assert_eq!(world.key.get(&path).await.expect(200)["name"], "Loans");

    let page = "settings?change=alert_min_severity&to=critical";
    let before = hidden(&admin.page(page).await.text, "form[before]");
    assert_eq!(before, "medium");
    world.key.patch("/v1/settings", &json!({"alert_min_severity": "low"})).await.expect(200);
    let change = [
        ("form[tenant]", &*tenant),
        ("form[setting]", "alert_min_severity"),
        ("form[before]", &*before),
        ("form[value]", "critical"),
        ("form[reason]", "fewer of them"),
    ];
    admin.post("/console/change-setting", &form(&change)).await;
    assert!(admin.page(page).await.text.contains("The setting was changed meanwhile"));
    let settings = world.key.get("/v1/settings").await.expect(200);
    assert_eq!(settings["alert_min_severity"], "low");
}

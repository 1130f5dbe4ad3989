//! Members in the console, in a browser without JavaScript.

use contract::scope::Right;

use crate::{key_owners::user_id, mailbox::Mailbox, prelude::*};

const ADA: &str = "form%5Bemail%5D=ada%40example.com&form%5Brole%5D=author";

#[testkit::test]
async fn the_setup_link_of_a_new_member_is_shown_once(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let response =
        browser.post("/console/invite-member", &format!("{ADA}&form%5Bname%5D=Ada")).await;
    let list = browser.at("members");
    response.assert_redirects_to(&list);
    let link_cookie =
        cookie(&response, "made").expect("the response sets a cookie for the page with the link");
    let link_page = browser.client(&format!("made={link_cookie}")).get(&list).await;
    assert_eq!(cookie(&link_page, "made").as_deref(), Some(""), "the page deletes the cookie");
    assert_contains(&link_page.text, ["/setup?token="]);
    let page = browser.page("members").await.text;
    assert!(page.contains("ada@example.com") && !page.contains("/setup?token="), "{page}");
}

#[tokio::test]
async fn a_refused_change_of_a_member_shows_the_error_and_preserves_the_input() {
    let service = test_service().await;
    let admin = service.admin().await;
    let browser = Browser::new(&service, &admin);
    let response = browser.post("/console/invite-member", ADA).await;
    response.assert_redirects_to(&browser.at("members"));
    let page = browser.shows("members", ["No account with this email in this tenant."]).await;
    assert!(page.contains("value=\"ada@example.com\""), "the input is preserved: {page}");

    let id = user_id(&admin).await;
    let refuse = async |page: &str, function: &str, fields: &str| {
        let path = format!("members/{id}/{page}");
        let seen = seen(&browser.page(&path).await.text);
        let response = browser.post(function, &format!("id={id}{fields}&{seen}")).await;
        response.assert_redirects_to(&browser.at(&path));
        browser.shows(&path, ["last admin"]).await
    };
    refuse("remove", "/console/remove-member", "").await;
    let page = refuse("role", "/console/change-role", "&role=auditor&keys_to=").await;
    let selected = page.split("<option").find(|option| option.contains("selected"));
    assert!(selected.is_some_and(|option| option.contains("value=\"auditor\"")), "{page}");
}

/// Returns the form field with the role and the keys that a page shows.
fn seen(page: &str) -> String {
    format!("seen={}", encoded(&hidden(page, "seen")))
}

/// Creates an API key of `person` and returns its client.
async fn create_key(service: &TestService, person: &Client, name: &str) -> Client {
    let body = serde_json::json!({"name": name, "scopes": ["policies:read"]});
    let created = person.post("/v1/api-keys", &body).await.expect(201);
    let secret = created["plaintext_key"].as_str().expect("a secret");
    service.with_key(secret)
}

#[tokio::test]
async fn keys_of_a_removed_or_demoted_member_are_listed_and_revoked_or_transferred() {
    let service = test_service().await;
    let (admin, successor) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let browser = Browser::new(&service, &admin);
    let successor_id = user_id(&successor).await;
    for (page, function, fields, role) in [
        ("remove", "/console/remove-member", "", None),
        ("role", "/console/change-role", "&role=viewer", Some("viewer")),
    ] {
        for (keys_to, status) in [("", 401), (&*successor_id, 200)] {
            let member = service.signed_in_member(Role::Admin).await;
            let person = user_id(&member).await;
            let key = create_key(&service, &member, "payroll run").await;
            let page =
                browser.shows(&format!("members/{person}/{page}"), ["payroll run", "svc_…"]).await;
            let effect = match role {
                Some(_) => "A role with fewer rights revokes 1 API key",
                None => "1 API key will be revoked, unless you transfer it to another admin.",
            };
            assert!(page.contains(effect), "{effect}: {page}");
            assert!(page.contains("policies:"), "the scopes of the key: {page}");
            let recipients = |id: &str| page.contains(&format!("<option value=\"{id}\""));
            assert!(recipients(&successor_id) && !recipients(&person), "{page}");
            let form = format!("id={person}{fields}&keys_to={keys_to}&{}", seen(&page));
            let response = browser.post(function, &form).await;
            let location = response.header("location");
            assert_eq!(location, Some(&*browser.at("members")), "{}", response.text);
            let notice = if role.is_some() { "is now Viewer." } else { "Member removed." };
            assert!(browser.page("members").await.text.contains(notice), "{page}");
            assert_eq!(key.get("/v1/policies").await.status, status);
            let member = admin.get(format!("/v1/admin/members/{person}")).await;
            assert_eq!(member.status, if role.is_some() { 200 } else { 404 });
            assert_eq!(member.json()["role"].as_str(), role);
        }
    }
}

#[tokio::test]
async fn a_member_changed_since_the_page_was_shown_is_neither_changed_nor_removed() {
    let service = test_service().await;
    let admin = service.admin().await;
    let browser = Browser::new(&service, &admin);
    let member = service.signed_in_member(Role::Admin).await;
    let person = user_id(&member).await;
    let (role, remove) = (format!("members/{person}/role"), format!("members/{person}/remove"));
    let seen_role = seen(&browser.page(&role).await.text);
    let seen_removal = seen(&browser.page(&remove).await.text);
    let assert_conflict = async |function: &str, form: &str, path: &str| {
        let response = browser.post(function, form).await;
        let page = browser.at(path);
        response.assert_redirects_to(&page);
        browser.shows(path, ["The member was changed concurrently"]).await;
    };
    // A key that the pages do not show must not be revoked unseen.
    let key = create_key(&service, &member, "payroll run").await;
    let change = format!("id={person}&role=viewer&keys_to=&{seen_role}");
    assert_conflict("/console/change-role", &change, &role).await;
    let removal = format!("id={person}&keys_to=&{seen_removal}");
    assert_conflict("/console/remove-member", &removal, &remove).await;
    key.get("/v1/policies").await.expect(200);

    let path = format!("/v1/admin/members/{person}");
    admin.patch(&path, &serde_json::json!({"role": "auditor"})).await.expect(200);
    let seen_removal = seen(&browser.page(&remove).await.text);
    admin.patch(&path, &serde_json::json!({"role": "author"})).await.expect(200);
    let removal = format!("id={person}&keys_to=&{seen_removal}");
    assert_conflict("/console/remove-member", &removal, &remove).await;
    assert_eq!(admin.get(&path).await.expect(200)["role"], "author");
}

#[testkit::test]
async fn invitations_have_their_own_tab_and_are_withdrawn_on_a_page(mut service: TestService) {
    Mailbox::attach(&mut service).await;
    let browser = Browser::new(&service, &service.admin().await);
    browser.shows("members?tab=invitations", ["No open invitations"]).await;
    let response = browser.post("/console/invite-member", ADA).await;
    response.assert_redirects_to(&browser.at("members"));
    browser.shows("members", ["ada@example.com is invited."]).await;
    assert!(!browser.page("members").await.text.contains("ada@example.com"), "not a member yet");
    let invitations = browser.page("members?tab=invitations").await.text;
    let label = "Withdraw the invitation of ada@example.com";
    assert!(invitations.contains(label) && invitations.contains("Author"), "{invitations}");

    let person = "select user_id::text from members where status = 'invited'";
    let person = service.sql(person).await.concat();
    let path = format!("members/{person}/remove");
    let page = browser.shows(&path, ["This person can no longer accept the invitation."]).await;
    let form = format!("id={person}&tab={}&{}", hidden(&page, "tab"), seen(&page));
    let response = browser.post("/console/remove-member", &form).await;
    response.assert_redirects_to(&browser.at("members?tab=invitations"));
    let invitations = browser.shows("members?tab=invitations", ["Invitation withdrawn."]).await;
    assert!(invitations.contains("No open invitations"), "{invitations}");
}

#[testkit::test]
async fn the_last_activity_is_that_of_the_audit_log_of_the_tenant(service: TestService) {
    let viewer = service.member(Role::Viewer).await;
    let author = service.signed_in_member(Role::Author).await;
    service.clock.advance(20 * MINUTE_MS);
    let body = serde_json::json!({"code": "PAY", "name": "Payments"});
    author.post("/v1/policies", &body).await.expect(201);
    service.clock.advance(5 * MINUTE_MS);
    let browser = Browser::new(&service, &service.admin().await);
    let page = browser.page("members").await.html();
    let row = |email: &str| {
        let row = page.split("<tr>").find(|row| row.contains(&format!("Remove {email}")));
        row.unwrap_or_else(|| panic!("no row of {email}: {page}"))
    };
    assert!(row(&viewer).contains("Never"), "{page}");
    let rows: Vec<&str> = page.split("<tr>").filter(|row| row.contains(">Author</td>")).collect();
    let [author] = rows[..] else { panic!("one author: {page}") };
    assert!(author.contains(">5 min</time>") && author.contains("class=\"avatar\""), "{author}");
}

#[tokio::test]
async fn the_roles_tab_shows_the_rights_of_each_role_and_the_last_admin_has_no_actions() {
    let service = test_service().await;
    let browser = Browser::new(&service, &service.admin().await);
    let page = browser.page("members?tab=roles").await.text;
    let (_, table) = page.split_once("<tbody>").expect("a table");
    let (table, _) = table.split_once("</tbody>").expect("the end of the table");
    let rows: Vec<&str> = table.split("<tr>").skip(1).collect();
    assert_eq!(rows.len(), Right::OF_ROLES.len());
    for (row, right) in rows.into_iter().zip(Right::OF_ROLES) {
        let cells: Vec<bool> = row.split("<td").skip(1).map(|cell| cell.contains("Yes")).collect();
        assert_eq!(cells, Role::ALL.map(|role| role.has(right)), "{right:?}: {row}");
    }

    browser.shows("members", ["The last admin cannot be removed."]).await;
    service.signed_in_member(Role::Admin).await;
    let together = browser.page("members").await.text;
    assert!(!together.contains("The last admin cannot be removed."), "{together}");
}

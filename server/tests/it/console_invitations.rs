//! Pages for invitations, password resets and development mail in a browser without JavaScript.

use governance::{ServiceOptions, access::mail::Mail};
use server::{config::Environment, edge::Edge, mail::MailFiles};

use crate::{
    mailbox::{Mailbox, token},
    prelude::*,
};

/// Returns the browser client of a visitor who is not signed in.
fn visitor(service: &TestService) -> Client {
    service
        .public
        .without_session()
        .with("accept", "text/html")
        .with("sec-fetch-site", "same-origin")
}

async fn post(browser: &Client, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    browser.call("POST", path).body(FORM, form(fields)).await
}

#[testkit::test]
async fn invitations_are_accepted_and_declined_on_the_account_page(service: TestService) {
    let other = service.other_tenant().await;
    let session = other.admin.get("/v1/session").await.expect(200);
    let invitation = json!({"user_id": session["user"]["id"], "role": "author"});
    let admin = service.admin().await;
    admin.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let members = Browser::new(&service, &admin).page("members?tab=invitations").await.text;
    assert!(members.contains("Invited"), "{members}");

    let guest = visitor(&service).with("cookie", other.admin.cookie().expect("signed in"));
    // A member of one tenant is not redirected past the invitation.
    for page in ["/", "/account", "/invitations"] {
        let response = guest.get(page).await;
        assert_eq!(response.status, 200, "{page}: {:?}", response.header("location"));
        for expected in
            ["Invitations", "Acme", "Author", "Accept the invitation of Acme", "Invited", "<bdi>"]
        {
            assert!(response.text.contains(expected), "{page} {expected}: {}", response.text);
        }
    }
    let tenant = service.tenant.to_string();
    let declined = post(&guest, "/console/decline-invitation", &[("tenant", &tenant)]).await;
    declined.assert_redirects_to("/invitations");
    let empty = guest.get("/invitations").await;
    assert!(empty.text.contains("No pending invitations"), "{}", empty.text);
    assert!(!guest.get("/account").await.text.contains("Invitations"));
    assert_eq!(guest.get("/").await.status, 303, "one tenant remains");

    admin.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let accepted = post(&guest, "/console/accept-invitation", &[("tenant", &tenant)]).await;
    let inbox = format!("/t/{tenant}/inbox");
    accepted.assert_redirects_to(&inbox);
    assert_eq!(guest.get(inbox).await.status, 200);
    // An invitation that no longer exists is refused.
    let repeated = post(&guest, "/console/accept-invitation", &[("tenant", &tenant)]).await;
    repeated.assert_redirects_to("/invitations");
    let visitor = visitor(&service).get("/invitations").await;
    visitor.assert_redirects_to("/login?next=%2Finvitations");
}

#[testkit::test]
async fn a_password_reset_works_with_html_forms(mut service: TestService) {
    let browser = visitor(&service);
    assert!(browser.get("/login").await.text.contains("href=\"/reset\""));
    let without_mail = browser.get("/reset").await;
    assert!(
        without_mail.text.contains("This service does not send email."),
        "{}",
        without_mail.text
    );

    let mailbox = Mailbox::attach(&mut service).await;
    assert!(browser.get("/reset").await.text.contains("Send the link"));
    for email in ["admin@acme.example", "unknown@acme.example"] {
        let response = post(&browser, "/console/request-reset", &[("email", email)]).await;
        response.assert_redirects_to("/reset?done=sent");
        assert_eq!(cookie(&response, "refused"), None);
    }
    let html = browser.get("/reset?done=sent").await.text;
    assert!(html.contains("If an account uses this email, a link has been sent."), "{html}");
    let malformed = post(&browser, "/console/request-reset", &[("email", "unknown")]).await;
    assert_eq!(malformed.header("location"), Some("/reset"));
    let refusal_cookie =
        cookie(&malformed, "refused").expect("the response sets a cookie with the refusal");
    let html = browser.with("cookie", format!("refused={refusal_cookie}")).get("/reset").await.text;
    assert!(html.contains("Email: must be an email address."), "{html}");

    let link = token(&mailbox.newest(&service, "admin@acme.example").await);
    let page = browser.get(format!("/setup?token={link}")).await;
    assert!(page.text.contains("Choose a password"), "{}", page.text);
    let new = "seven wild geese over the bay";
    let fields = [("token", &*link), ("password", new)];
    let response = post(&browser, "/console/set-password", &fields).await;
    response.assert_redirects_to("/login?done=setup");
    service.public.without_session().sign_in("admin@acme.example", new).await.expect(200);
    // A used link and an unknown one have the same page.
    for link in [&*link, "unknown"] {
        let page = browser.get(format!("/setup?token={link}")).await;
        assert!(page.text.contains("This link has expired or was already used."), "{}", page.text);
        assert!(!page.text.contains("type=\"password\""), "{}", page.text);
    }
}

#[testkit::test]
async fn a_setup_link_for_an_existing_account_is_refused(mut service: TestService) {
    service.other_tenant().await;
    let mailbox = Mailbox::attach(&mut service).await;
    let email = "admin@neighbour.example";
    let invitation = json!({"email": email, "role": "viewer"});
    service.key.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let link = token(&mailbox.newest(&service, email).await);
    let browser = visitor(&service);
    let fields = [("token", &*link), ("password", PASSWORD)];
    let refusal = post(&browser, "/console/set-password", &fields).await;
    let refusal_cookie =
        cookie(&refusal, "refused").expect("the response sets a cookie with the refusal");
    let page = refusal.header("location").expect("a redirect").to_owned();
    let html = browser.with("cookie", format!("refused={refusal_cookie}")).get(page).await.text;
    assert!(html.contains("Your email address already has an account."), "{html}");
}

#[tokio::test]
async fn a_development_service_lists_its_mail_and_returns_setup_links() {
    let directory = std::env::temp_dir().join(format!("govern-mail-{}", std::process::id()));
    let service = test_service_with(ServiceOptions {
        public_url: "http://127.0.0.1:3000".to_owned(),
        mail: Some(Mail::new(MailFiles::new(&directory)).in_development()),
        ..ServiceOptions::default()
    })
    .await;
    let mut edge: Edge = service.service.edge.clone();
    edge.mail_directory = Some(directory.clone());
    let draft = json!({"email": "ada@new.example", "display_name": "Ada"});
    let created = service.admin().await.post("/v1/admin/users", &draft).await.expect(201);
    governance::access::mail::send_due(&service.governance, service.clock.now())
        .await
        .expect("the mail is sent");

    let browser = service
        .start_process_with(service.governance.clone(), edge)
        .await
        .with("accept", "text/html");
    let list = browser.get("/dev/mail").await.html();
    assert_contains(
        &list,
        ["<dd>ada@new.example</dd>", "Your Govern account at Acme", "/setup?token="],
    );
    // The returned link differs from the mailed link: only the mailed link proves the address.
    let setup_url = text(&created["setup_url"]);
    assert!(!list.contains(setup_url), "{setup_url}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(&directory).expect("the directory exists").permissions(),
    );
    assert_eq!(mode & 0o777, 0o700);
    std::fs::remove_dir_all(&directory).expect("the directory exists");
    assert!(browser.get("/dev/mail").await.text.contains("No mail yet."));
    // Other processes do not serve the page.
    assert_eq!(service.public.get("/dev/mail").await.to_string(), "404 NOT_FOUND");
}

#[testkit::test]
async fn the_gallery_of_components_exists_only_in_development(service: TestService) {
    let gallery = visitor(&service).get("/dev/gallery").await;
    assert_eq!(gallery.status, 200);
    for part in ["data-theme=\"light\"", "data-theme=\"dark\"", "Fields with errors", "noindex"] {
        let is_shown =
            gallery.text.contains(part) || format!("{:?}", gallery.headers).contains(part);
        assert!(is_shown, "{part}: {}", gallery.text);
    }
    let environment = Environment::Production;
    let builder = TestServiceBuilder { environment, ..TestServiceBuilder::default() };
    let production = builder.start().await;
    let missing = visitor(&production).get("/dev/gallery").await;
    assert_eq!(missing.status, 404);
    assert!(!missing.text.contains("data-theme=\"dark\""), "{}", missing.text);
}

//! Invitations, forgotten passwords and the mail of a development service, as a browser without scripts gets
//! them.

use governance::notify::mail::Mail;
use serde_json::json;
use server::{edge::Edge, mail::MailFiles};

use crate::{
    client::{Client, TestResponse, text},
    console_editor::form,
    console_pages::{Browser, FORM, cookie},
    mailbox::{Mailbox, token},
    service::{PASSWORD, TestService, TestServiceBuilder, world},
};

/// The browser of a person who is not signed in.
fn visitor(world: &TestService) -> Client {
    world.public.apart().with("accept", "text/html").with("sec-fetch-site", "same-origin")
}

async fn post(browser: &Client, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    browser.call("POST", path).body(FORM, form(fields)).await
}

#[tokio::test]
async fn a_person_accepts_or_declines_invitations_on_the_pages_of_the_account() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let session = neighbour.admin.get("/v1/session").await.expect(200);
    let invitation = json!({"user_id": session["user"]["id"], "role": "author"});
    let admin = world.admin().await;
    admin.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let members = Browser::of(&world, &admin).page("members").await.text;
    assert!(members.contains("Invited"), "{members}");

    let guest = visitor(&world).with("cookie", neighbour.admin.cookie().expect("signed in"));
    // A person with one tenant is not sent past the invitation.
    for page in ["/", "/account"] {
        let shown = guest.get(page).await;
        assert_eq!(shown.status, 200, "{page}: {:?}", shown.header("location"));
        for said in ["Invitations", "Acme", "Author", "Accept the invitation of Acme"] {
            assert!(shown.text.contains(said), "{page} {said}: {}", shown.text);
        }
    }
    let tenant = world.tenant.to_string();
    let declined = post(&guest, "/console/decline-invitation", &[("tenant", &tenant)]).await;
    assert_eq!((declined.status, declined.header("location")), (303, Some("/account")));
    assert!(!guest.get("/account").await.text.contains("Invitations"));
    assert_eq!(guest.get("/").await.status, 303, "one tenant is left");

    admin.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let accepted = post(&guest, "/console/accept-invitation", &[("tenant", &tenant)]).await;
    let inbox = format!("/t/{tenant}/inbox");
    assert_eq!((accepted.status, accepted.header("location")), (303, Some(&*inbox)));
    assert_eq!(guest.get(inbox).await.status, 200);
    // What is gone is refused in words.
    let again = post(&guest, "/console/accept-invitation", &[("tenant", &tenant)]).await;
    assert_eq!((again.status, again.header("location")), (303, Some("/account")));
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_on_plain_pages() {
    let world = world().await;
    let browser = visitor(&world);
    assert!(browser.get("/login").await.text.contains("href=\"/reset\""));
    let without_mail = browser.get("/reset").await;
    assert!(without_mail.text.contains("This service sends no mail."), "{}", without_mail.text);

    let mailbox = Mailbox::of(&world);
    assert!(browser.get("/reset").await.text.contains("Send the link"));
    for email in ["admin@acme.example", "nobody@acme.example"] {
        let sent = post(&browser, "/console/request-reset", &[("email", email)]).await;
        assert_eq!(
            (sent.status, sent.header("location")),
            (303, Some("/reset?done=sent")),
            "{email}"
        );
        assert_eq!(cookie(&sent, "refused"), None);
    }
    let shown = browser.get("/reset?done=sent").await.text;
    assert!(shown.contains("If this address has an account"), "{shown}");
    let malformed = post(&browser, "/console/request-reset", &[("email", "nobody")]).await;
    assert_eq!(malformed.header("location"), Some("/reset"));
    let refused = cookie(&malformed, "refused").expect("the refusal is kept for the page");
    let shown = browser.with("cookie", format!("refused={refused}")).get("/reset").await.text;
    assert!(shown.contains("E-mail: must be an e-mail address."), "{shown}");

    let link = token(&mailbox.newest(&world, "admin@acme.example").await);
    let page = browser.get(format!("/setup?token={link}")).await;
    assert!(page.text.contains("Choose a password"), "{}", page.text);
    let new = "seven wild geese over the bay";
    let fields = [("token", &*link), ("password", new)];
    let done = post(&browser, "/console/set-password", &fields).await;
    assert_eq!((done.status, done.header("location")), (303, Some("/login?done=setup")));
    let credentials = json!({"email": "admin@acme.example", "password": new});
    world.public.apart().post("/v1/session", &credentials).await.expect(200);
}

#[tokio::test]
async fn a_link_for_an_address_with_an_account_leads_to_the_sign_in_page() {
    let world = world().await;
    world.neighbour().await;
    let mailbox = Mailbox::of(&world);
    let email = "admin@neighbour.example";
    let invitation = json!({"email": email, "role": "viewer"});
    world.key.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let link = token(&mailbox.newest(&world, email).await);
    let browser = visitor(&world);
    let fields = [("token", &*link), ("password", PASSWORD)];
    let refused = post(&browser, "/console/set-password", &fields).await;
    let kept = cookie(&refused, "refused").expect("the refusal is kept for the page");
    let page = refused.header("location").expect("a way back").to_owned();
    let shown = browser.with("cookie", format!("refused={kept}")).get(page).await.text;
    assert!(shown.contains("Your e-mail address has an account already."), "{shown}");
}

#[tokio::test]
async fn a_development_service_lists_its_mail_and_shows_links_too() {
    let folder = std::env::temp_dir().join(format!("govern-mail-{}", std::process::id()));
    let world = TestServiceBuilder::default().world().await;
    let mut edge: Edge = world.service.edge.clone();
    edge.mail_folder = Some(folder.clone());
    world.governance.set_public_url("http://127.0.0.1:3000");
    world.governance.sends_mail(Mail::new(MailFiles::new(&folder)).in_development());
    let draft = json!({"email": "ada@new.example", "display_name": "Ada"});
    let made = world.admin().await.post("/v1/admin/users", &draft).await.expect(201);
    governance::notify::mail::send_due(&world.governance, world.clock.now()).await.expect("sent");

    let browser =
        world.process_of(world.governance.clone(), edge).await.with("accept", "text/html");
    let listed = browser.get("/dev/mail").await;
    for said in ["<dd>ada@new.example</dd>", "Your Govern account at Acme", "/setup?token="] {
        assert!(listed.text.contains(said), "{said}: {}", listed.text);
    }
    // The link in the answer is another one than the mailed one, which alone proves the address.
    let shown = text(&made["setup_url"]);
    assert!(!listed.text.contains(shown), "{shown}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(&folder).expect("a folder").permissions(),
    );
    assert_eq!(mode & 0o777, 0o700);
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert!(browser.get("/dev/mail").await.text.contains("No mail yet."));
    // No other process has the page.
    assert_eq!(world.public.get("/dev/mail").await.to_string(), "404 NOT_FOUND");
}

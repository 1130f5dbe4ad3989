//! Hosted forms in the console, in a browser without JavaScript.

mod html_form;
mod questions;

use self::html_form::HtmlForm;
use crate::{forms, prelude::*};

const EDIT: &str = "/console/edit-form";
const PUBLISH: &str = "/console/publish-form";
const DELETE: &str = "/console/delete-form";

async fn revoked_tokens(service: &TestService) -> Vec<String> {
    service.sql("select id::text from form_tokens where revoked_at is not null").await
}

#[testkit::test]
async fn form_tokens_are_created_and_revoked_with_html_forms(service: TestService) {
    let version = service.active("PAY-01").await;
    let form = forms::publish_form(&service, &version, json!({"access_mode": "token"})).await;
    let id = text(&form["id"]);
    let tokens = format!("forms/{id}/edit?tab=access");
    let operator = Browser::member(&service, Role::Operator).await;
    let created = operator.post("/console/form-token", &format!("id={id}&uses=3&expires=")).await;
    let back = operator.at(&tokens);
    created.assert_redirects_to(&back);
    let token = service.sql("select id::text from form_tokens").await.concat();
    operator.shows(&tokens, [&*token, "0 of 3", "/console/revoke-form-token"]).await;

    // A viewer sees no revoke button and cannot revoke.
    let viewer = Browser::member(&service, Role::Viewer).await;
    assert!(!viewer.page(&tokens).await.text.contains("/console/revoke-form-token"));
    let (revoke, body) = ("/console/revoke-form-token", format!("id={id}&token={token}"));
    viewer.post(revoke, &body).await;
    assert_eq!(revoked_tokens(&service).await, Vec::<String>::new());

    for _ in 0..2 {
        let response = operator.post(revoke, &body).await;
        response.assert_redirects_to(&back);
    }
    assert_eq!(revoked_tokens(&service).await, [token]);
    let page = operator.page(&tokens).await.text;
    assert!(page.contains("1 Sep 2026 10:00:00") && !page.contains(revoke), "{page}");

    let unknown = "00000000-0000-4000-8000-000000000000";
    operator.post(revoke, &format!("id={id}&token={unknown}")).await;
    operator.shows(&format!("forms/{id}/edit"), ["NOT_FOUND"]).await;
}

#[tokio::test]
async fn the_settings_of_a_form_are_in_tabs_and_saving_returns_to_the_open_tab() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let form = forms::publish_form(&service, &version, json!({"title": "Payments"})).await;
    let id = text(&form["id"]);
    let branding = format!("forms/{id}/edit?tab=branding");
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page(&branding).await.html();
    for tab in ["Fields", "Access", "Branding", "Integrate"] {
        assert!(page.contains(&format!(">{tab}</a>")), "{tab}: {page}");
    }
    let mut edit = HtmlForm::parse(&page, EDIT);
    edit.fill("form[thanks]", "Thank you.");
    let response = operator.post(EDIT, &edit.encode("save")).await;
    response.assert_redirects_to(&operator.at(&branding));
    // The fields of the other tabs are submitted too.
    let stored = service.key.get(format!("/v1/forms/{id}")).await.expect(200);
    assert_eq!(stored["success_message"], "Thank you.");
    assert_eq!(stored["title"], "Payments");

    // All fields are shown while there are errors.
    let mut edit = HtmlForm::parse(&operator.page(&branding).await.text, EDIT);
    edit.fill("form[title]", "");
    operator.post(EDIT, &edit.encode("save")).await;
    let page = operator.page(&branding).await.html();
    assert!(page.contains("Error:") && !page.contains("<div hidden"), "{page}");
}

#[tokio::test]
async fn a_form_changed_since_the_page_was_shown_is_not_saved_published_or_deleted() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let form = forms::publish_form(&service, &version, json!({"is_published": false})).await;
    let id = text(&form["id"]);
    let (path, editor) = (format!("/v1/forms/{id}"), format!("forms/{id}/edit"));
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page(&editor).await.text;
    let mut edit = HtmlForm::parse(&page, EDIT);
    edit.fill("form[title]", "Mine");
    let (publish, delete) = (HtmlForm::parse(&page, PUBLISH), HtmlForm::parse(&page, DELETE));
    service.key.patch(&path, &json!({"title": "Theirs"})).await.expect(200);
    let assert_conflict = async |function: &str, form: &HtmlForm| {
        let response = operator.post(function, &form.encode("save")).await;
        let location = operator.at(&editor);
        response.assert_redirects_to(&location);
        let page = operator.page(&editor).await.text;
        assert!(page.contains("The form was changed concurrently"), "{function}: {page}");
    };
    for (function, form) in [(PUBLISH, &publish), (DELETE, &delete), (EDIT, &edit)] {
        assert_conflict(function, form).await;
        let stored = service.key.get(&path).await.expect(200);
        assert_eq!((&stored["title"], &stored["is_published"]), (&json!("Theirs"), &json!(false)));
    }

    // The input is preserved until it is discarded. The other actions use what the page shows now.
    let page = operator.shows(&editor, ["unsaved changes"]).await;
    let pending = HtmlForm::parse(&page, EDIT);
    assert_eq!(pending.get("form[title]"), Some("Mine"));
    assert_conflict(EDIT, &pending).await;
    operator.post(PUBLISH, &HtmlForm::parse(&page, PUBLISH).encode("")).await;
    assert_eq!(service.key.get(&path).await.expect(200)["is_published"], true);
    // The page from before the publication shows a form that is not published.
    assert_conflict(DELETE, &HtmlForm::parse(&page, DELETE)).await;
    operator.post(EDIT, &edit.encode("discard")).await;
    let mut edit = HtmlForm::parse(&operator.page(&editor).await.text, EDIT);
    edit.fill("form[title]", "Mine");
    operator.post(EDIT, &edit.encode("save")).await;
    assert_eq!(service.key.get(&path).await.expect(200)["title"], "Mine");
}

//! Submissions that cannot be read, and forms that accept none.

use super::{
    pages::{browser, page_path, send, visit},
    path, published_form, submission,
};
use crate::prelude::*;

#[testkit::test]
async fn a_form_that_cannot_be_read_is_rejected_and_not_changed(service: TestService) {
    let form = published_form(&service, json!({})).await;
    let cut = "--x\r\nContent-Disposition: form-data; name=\"a:amount\"\r\n\r\n1";
    for (kind, body, expected) in [
        (FORM, b"a:amount=%zz&a:purpose=x&key=k".as_slice(), "422 VALIDATION_ERROR"),
        ("multipart/form-data; boundary=x", cut.as_bytes(), "415 UNSUPPORTED_MEDIA_TYPE"),
    ] {
        let program = service.public.call("POST", page_path(&form)).body(kind, body).await;
        assert_eq!(program.to_string(), expected, "{body:?}");
        let page = browser(&service.public).call("POST", page_path(&form)).body(kind, body).await;
        assert_eq!(page.status, program.status, "{body:?}");
        assert!(page.text.contains("<h1>"), "{}", page.text);
    }
    let german = browser(&service.public.with("accept-language", "de"));
    let large = format!("key=k&a:purpose={}", "x".repeat(262_144));
    for (body, status, title) in [
        ("key=k&a:amount=%zz", 422, "Ihre Angaben sind nicht lesbar"),
        (&*large, 413, "Ihre Angaben sind zu lang"),
    ] {
        let page = german.call("POST", page_path(&form)).body(FORM, body.to_owned()).await;
        assert_eq!(page.status, status);
        assert!(page.html().contains(&format!("<h1>{title}</h1>")), "{}", page.text);
    }
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["0"]);
}

#[testkit::test]
async fn an_answer_that_the_form_does_not_ask_for_is_refused(service: TestService) {
    let form = published_form(&service, json!({})).await;
    let answers = [("key", "k"), ("a:amount", "1"), ("a:purpose", "rent")];
    for (more, error) in [
        (("a:removed", "x"), "no longer asks for one of your answers"),
        (("a:purpose", "food"), "The answer is invalid."),
    ] {
        let page = send(&service.public, &form, &[&answers[..], &[more]].concat()).await;
        assert_eq!(page.status, 422, "{more:?}");
        assert!(page.text.contains(error), "{}", page.text);
    }
    let page = send(&service.public, &form, &[&answers[..], &[("a:removed", "")]].concat()).await;
    assert_eq!(page.status, 303, "{}", page.text);
}

#[testkit::test]
async fn a_form_without_an_active_policy_says_so_before_anything_is_typed(service: TestService) {
    let version = service.active("PAY-01").await;
    let form = super::publish_form(&service, &version, json!({})).await;
    assert!(visit(&service.public, page_path(&form)).await.text.contains("<button"));
    service.deactivate(&version).await;
    for (language, notice) in [
        ("en", "This form is not accepting submissions."),
        ("de", "Dieses Formular nimmt derzeit keine Angaben entgegen."),
    ] {
        let client = service.public.with("accept-language", language);
        let closed = visit(&client, page_path(&form)).await;
        assert_eq!((closed.status, closed.header("retry-after")), (200, None));
        assert!(closed.text.contains(notice), "{}", closed.text);
        assert!(!closed.text.contains("<button") && !closed.text.contains("a:amount"));
    }
    let refusal = service.public.post(path(&form, "/submit"), &submission(1, "k")).await;
    assert_eq!(refusal.to_string(), "404 NO_ACTIVE_POLICIES");
    service.public.get(path(&form, "/schema")).await.expect(200);
    let active = service.active("PAY-02").await;
    let other = super::publish_form(&service, &active, json!({})).await;
    assert!(visit(&service.public, page_path(&other)).await.text.contains("<button"));
}

#[testkit::test]
async fn a_malformed_tenant_header_decides_nothing_on_public_paths(service: TestService) {
    let form = published_form(&service, json!({})).await;
    for header in ["x", "", "00000000-0000-4000-8000-000000000000", "a, b"] {
        let client = service.public.with("x-service-tenant-id", header);
        let body = submission(1, &format!("key {header}"));
        client.post(path(&form, "/submit"), &body).await.expect(201);
        client.get(path(&form, "/schema")).await.expect(200);
        client.get(path(&form, "/api-contract")).await.expect(200);
        assert_eq!(client.get(page_path(&form)).await.status, 200);
    }
    let console = service.public.with("x-service-tenant-id", "x");
    let body = json!({"access_mode": "console"});
    service.key.patch(path(&form, ""), &body).await.expect(200);
    let refusal = console.post(path(&form, "/submit"), &submission(1, "k")).await;
    assert_eq!(refusal.to_string(), "403 FORBIDDEN");
}

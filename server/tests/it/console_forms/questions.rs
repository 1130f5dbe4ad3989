//! The question editor of a hosted form: single fields, JSON and preview.

use super::{EDIT, html_form::HtmlForm};
use crate::{forms, prelude::*};

const ATTACK: &str = "\"><script>alert(1)</script>'&|";

/// A hosted form and the browser of an operator who edits it.
struct FormEditor<'s> {
    service: &'s TestService,
    browser: Browser<'s>,
    id: String,
}

impl<'s> FormEditor<'s> {
    async fn new(service: &'s TestService, fields: Value) -> Self {
        let version = service.active("PAY-01").await;
        let form = forms::publish_form(service, &version, json!({"fields": fields})).await;
        let browser = Browser::member(service, Role::Operator).await;
        Self { service, browser, id: text(&form["id"]).to_owned() }
    }

    fn at(&self, query: &str) -> String {
        format!("forms/{}/edit{query}", self.id)
    }

    async fn page(&self, query: &str) -> String {
        let page = self.browser.page(&self.at(query)).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.text
    }

    async fn html_form(&self, query: &str) -> HtmlForm {
        HtmlForm::parse(&self.page(query).await, EDIT)
    }

    /// Submits the form with a button, checks the redirect and returns the page.
    async fn press(&self, form: &HtmlForm, act: &str, query: &str) -> String {
        let response = self.browser.post(EDIT, &form.encode(act)).await;
        let page = self.browser.at(&self.at(query));
        response.assert_redirects_to(&page);
        self.page(query).await
    }

    async fn stored(&self) -> Value {
        self.service.key.get(format!("/v1/forms/{}", self.id)).await.expect(200)
    }
}

fn question_field(index: usize, name: &str) -> String {
    format!("form[questions][{index}][{name}]")
}

/// Returns the field names of the questions in order.
fn names(form: &HtmlForm) -> Vec<&str> {
    (0..).map_while(|index| form.get(&question_field(index, "name"))).collect()
}

fn question(name: &str, kind: &str) -> Value {
    json!({"name": name, "label": name.to_uppercase(), "type": kind})
}

fn choice(name: &str) -> Value {
    let mut choice = question(name, "select");
    choice["options"] = json!([{"value": "x", "label": "X"}]);
    choice
}

#[testkit::test]
async fn the_order_of_many_questions_is_preserved(service: TestService) {
    let fields: Vec<Value> = (0..23).map(|index| question(&format!("f{index}"), "text")).collect();
    let editor = FormEditor::new(&service, json!(fields)).await;
    let form = editor.html_form("").await;
    editor.press(&form, "save", "").await;
    assert_eq!(editor.stored().await["fields"], json!(fields));
    let form = HtmlForm::parse(&editor.press(&form, "up-11", "").await, EDIT);
    assert_eq!(names(&form)[9..12], ["f9", "f11", "f10"]);
}

#[testkit::test]
async fn a_refused_save_lists_its_errors_and_preserves_the_input_without_a_password(
    service: TestService,
) {
    let fields = json!([question("a", "text"), choice("b")]);
    let editor = FormEditor::new(&service, fields).await;
    let before = editor.stored().await;
    let mut form = editor.html_form("").await;
    form.fill("form[title]", "");
    form.fill("form[password]", "pssst");
    form.fill(&question_field(1, "options"), "x | X\ny |");
    let page = editor.press(&form, "save", "").await;
    for (target, expected) in [
        ("title", "Title: must not be empty."),
        ("password", "New password: must have at least 6 characters."),
        ("fields-1-options", "Question 2, options, line 2: must not be empty."),
    ] {
        for part in [&format!("href=\"#{target}\""), &format!("id=\"{target}\""), expected] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
    assert!(page.contains("Enter the new password again") && !page.contains("pssst"), "{page}");
    form.fill("form[password]", "");
    assert_eq!(HtmlForm::parse(&page, EDIT), form);

    // Errors of the service are shown in the same way.
    form.fill("form[title]", "Payments");
    form.fill("form[decision_type]", "loan");
    form.fill(&question_field(1, "options"), "x | X");
    let page = editor.press(&form, "save", "").await;
    assert_contains(&page, ["href=\"#decision_type\"", "not a decision type of the policy"]);
    assert_eq!(editor.stored().await, before);
}

#[testkit::test]
async fn a_form_needs_at_least_one_question_and_changes_can_be_discarded(service: TestService) {
    let editor = FormEditor::new(&service, json!([question("a", "text")])).await;
    let form = editor.html_form("").await;
    let page = editor.press(&form, "remove-0", "").await;
    let empty = HtmlForm::parse(&page, EDIT);
    assert_eq!(names(&empty), Vec::<&str>::new());
    let page = editor.press(&empty, "save", "").await;
    assert!(page.contains("href=\"#fields\"") && page.contains("at least one element"), "{page}");
    let page = editor.press(&empty, "discard", "").await;
    assert!(!page.contains("unsaved changes"), "{page}");
    assert_eq!(HtmlForm::parse(&page, EDIT), form);
}

#[testkit::test]
async fn questions_can_be_edited_as_json(service: TestService) {
    let editor = FormEditor::new(&service, json!([question("a", "text")])).await;
    let mut form = editor.html_form("").await;
    form.fill(&question_field(0, "label"), "Changed");
    form.fill("form[title]", "Typed before");
    let page = editor.press(&form, "json", "?as=json").await;
    let mut json_form = HtmlForm::parse(&page, EDIT);
    let questions: Value =
        serde_json::from_str(json_form.get("form[json]").unwrap()).expect("JSON");
    assert_eq!(questions, json!([{"name": "a", "label": "Changed", "type": "text"}]));
    assert_eq!(json_form.get("form[title]"), Some("Typed before"));

    for (input, expected) in [("[{", "Questions: this is not JSON")] {
        json_form.fill("form[json]", input);
        for act in ["save", "questions"] {
            let page = editor.press(&json_form, act, "?as=json").await;
            assert!(
                page.contains(expected) && page.contains("href=\"#fields\""),
                "{act} {expected}: {page}"
            );
            assert_eq!(HtmlForm::parse(&page, EDIT), json_form, "{input}");
        }
    }
    json_form.fill("form[json]", &json!([question("p", "text"), question("q", "url")]).to_string());
    let page = editor.press(&json_form, "questions", "").await;
    assert_eq!(names(&HtmlForm::parse(&page, EDIT)), ["p", "q"]);
    editor.press(&json_form, "save", "?as=json").await;
    assert_eq!(editor.stored().await["fields"][1]["type"], "url");
    assert_eq!(names(&editor.html_form("").await), ["p", "q"]);
}

#[testkit::test]
async fn every_text_of_a_question_is_escaped(service: TestService) {
    let editor = FormEditor::new(&service, json!([choice("a"), question("b", "text")])).await;
    let mut form = editor.html_form("").await;
    for name in ["name", "label", "help", "placeholder", "options"] {
        form.fill(&question_field(0, name), ATTACK);
    }
    for name in ["kind", "min", "max", "pattern", "max_length"] {
        form.fill(&question_field(1, name), ATTACK);
    }
    let check_escaped = |page: &str| assert!(!page.contains("<script>alert"), "{page}");
    let refusal = editor.press(&form, "save", "").await;
    check_escaped(&refusal);
    assert_eq!(HtmlForm::parse(&refusal, EDIT).get(&question_field(0, "label")), Some(ATTACK));
    assert!(refusal.contains("href=\"#fields-1-type\""), "{refusal}");
    check_escaped(&editor.press(&form, "json", "?as=json").await);
    form.fill(&question_field(0, "options"), &format!("{ATTACK} {ATTACK}"));
    form.fill(&question_field(1, "kind"), "text");
    form.fill(&question_field(1, "max_length"), "");
    form.fill(&question_field(1, "pattern"), "");
    check_escaped(&editor.press(&form, "add", "").await);
    check_escaped(&editor.press(&form, "save", "").await);
    let stored = editor.stored().await;
    assert_eq!(stored["fields"][0]["label"], ATTACK);
    let preview = preview(&editor, &form).await;
    check_escaped(&preview.expect(200).to_string());
}

async fn preview(editor: &FormEditor<'_>, form: &HtmlForm) -> TestResponse {
    let body = format!("tenant={}&{}", editor.service.tenant, form.encode("save"));
    editor
        .browser
        .client("theme=dark")
        .without("accept")
        .call("POST", "/console/preview-questions")
        .body(FORM, body)
        .await
}

#[testkit::test]
async fn the_preview_shows_valid_questions_and_lists_errors(service: TestService) {
    let editor =
        FormEditor::new(&service, json!([question("a", "text"), question("b", "text")])).await;
    let mut form = editor.html_form("").await;
    form.fill(&question_field(0, "label"), "<b>Bold</b>");
    form.fill(&question_field(1, "label"), "");
    let html = preview(&editor, &form).await.expect(200);
    let html = text(&html);
    assert!(html.contains("&lt;b&gt;Bold") && html.contains("Question 2, question:"), "{html}");
    let visitor = service.public.with("sec-fetch-site", "same-origin").with("accept", "text/html");
    let call = visitor.call("POST", "/console/preview-questions");
    let body = format!("tenant={}&{}", service.tenant, form.encode("save"));
    let refusal = call.body(FORM, body).await;
    assert_eq!(refusal.header("location"), Some("/login?next=%2F"), "{refusal:?}");
}

#[testkit::test]
async fn previewed_input_is_preserved_when_the_page_is_left(service: TestService) {
    let editor = FormEditor::new(&service, json!([question("a", "text")])).await;
    let mut form = editor.html_form("").await;
    let saved = form.get(&question_field(0, "label")).expect("a label").to_owned();
    form.fill(&question_field(0, "label"), "Half a thou");
    preview(&editor, &form).await.expect(200);
    let page = editor.browser.page(&editor.at("")).await.text;
    assert!(page.contains("Half a thou") && page.contains("unsaved changes"), "{page}");
    // After the stored value is entered again, the form has no unsaved changes.
    form.fill(&question_field(0, "label"), &saved);
    preview(&editor, &form).await.expect(200);
    let page = editor.browser.page(&editor.at("")).await.text;
    assert!(page.contains(&saved) && !page.contains("unsaved changes"), "{page}");
    let viewer = Browser::member(&service, Role::Viewer).await;
    let refusal = viewer.post("/console/preview-questions", &form.encode("save")).await;
    assert_eq!(refusal.status, 403, "{refusal:?}");
}

#[testkit::test]
async fn a_viewer_can_read_the_editor_and_change_nothing(service: TestService) {
    let editor = FormEditor::new(&service, json!([question("a", "text")])).await;
    let form = editor.html_form("").await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.shows(&editor.at(""), ["as=json"]).await;
    assert!(page.contains("<fieldset disabled"), "{page}");
    assert!(viewer.page(&editor.at("?as=json")).await.text.contains("form[json]"));
    for act in ["add", "save", "json"] {
        let response = viewer.post(EDIT, &form.encode(act)).await;
        assert_eq!(response.status, 303, "{response:?}");
        let page = viewer.page(&editor.at("")).await.text;
        assert!(page.contains("FORBIDDEN") && !page.contains("unsaved changes"), "{act}: {page}");
    }
    let missing =
        form.encode("add").replace(&encoded(&editor.id), "00000000-0000-4000-8000-000000000000");
    let response = editor.browser.post(EDIT, &missing).await;
    assert_eq!(response.status, 303, "{response:?}");
    assert!(!editor.page("").await.contains("unsaved changes"));
}

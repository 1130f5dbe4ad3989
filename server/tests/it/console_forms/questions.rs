//! The questions of a form, written one by one and as JSON.

use contract::scope::Role;
use serde_json::{Value, json};

use super::html_form::Sheet;
use crate::{
    client::{TestResponse, text},
    console_pages::{Browser, FORM, encoded},
    forms,
    service::{TestService, world},
};

const EDIT: &str = "/console/edit-form";
const ATTACK: &str = "\"><script>alert(1)</script>'&|";

/// A form, and somebody who may write it.
struct Desk<'w> {
    world: &'w TestService,
    browser: Browser<'w>,
    id: String,
}

impl<'w> Desk<'w> {
    async fn with(world: &'w TestService, fields: Value) -> Self {
        let version = world.active("PAY-01").await;
        let form = forms::published(world, &version, json!({"fields": fields})).await;
        let browser = Browser::of(world, &world.person(Role::Operator).await);
        Self { world, browser, id: text(&form["id"]).to_owned() }
    }

    fn at(&self, query: &str) -> String {
        format!("forms/{}/edit{query}", self.id)
    }

    async fn page(&self, query: &str) -> String {
        let page = self.browser.page(&self.at(query)).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.text
    }

    async fn sheet(&self, query: &str) -> Sheet {
        Sheet::of(&self.page(query).await, EDIT)
    }

    /// Presses a button, which leads to the page with this query; and reads it.
    async fn press(&self, sheet: &Sheet, act: &str, query: &str) -> String {
        let answer = self.browser.post(EDIT, &sheet.pressed(act)).await;
        let page = self.browser.at(&self.at(query));
        assert_eq!((answer.status, answer.header("location")), (303, Some(&*page)), "{answer:?}");
        self.page(query).await
    }

    async fn stored(&self) -> Value {
        self.world.key.get(format!("/v1/forms/{}", self.id)).await.expect(200)
    }
}

fn member(place: usize, member: &str) -> String {
    format!("form[questions][{place}][{member}]")
}

/// The names of the fields that answers go to, in the order of the questions.
fn names(sheet: &Sheet) -> Vec<&str> {
    (0..).map_while(|place| sheet.get(&member(place, "name"))).collect()
}

fn question(name: &str, kind: &str) -> Value {
    json!({"name": name, "label": name.to_uppercase(), "type": kind})
}

fn choice(name: &str) -> Value {
    let mut choice = question(name, "select");
    choice["options"] = json!([{"value": "x", "label": "X"}]);
    choice
}

#[tokio::test]
async fn questions_are_added_moved_and_removed_and_nothing_is_saved_before_save() {
    let world = world().await;
    let fields = json!([question("a", "text"), question("b", "number")]);
    let desk = Desk::with(&world, fields).await;
    let before = desk.stored().await;
    let mut sheet = desk.sheet("").await;
    assert_eq!(names(&sheet), ["a", "b"]);

    sheet.fill("form[title]", "Half typed");
    sheet.fill("form[thanks]", "One\nTwo");
    sheet.fill(&member(1, "min"), "not yet");
    let page = desk.press(&sheet, "add", "").await;
    assert!(page.contains("not saved yet"), "{page}");
    let mut sheet = Sheet::of(&page, EDIT);
    assert_eq!(names(&sheet), ["a", "b", ""]);
    assert_eq!(sheet.get("form[title]"), Some("Half typed"));
    assert_eq!(
        sheet.get("form[thanks]").map(|text| text.replace('\r', "")),
        Some("One\nTwo".into())
    );
    assert_eq!(sheet.get(&member(1, "min")), Some("not yet"));

    for (name, value) in [
        ("name", "c"),
        ("label", "Colour"),
        ("kind", "select"),
        ("required", "yes"),
        ("help", "Of the thing."),
        ("options", "red | Red\n1 | One\n\"2\" | Two\ntrue\n"),
    ] {
        sheet.fill(&member(2, name), value);
    }
    let page = desk.press(&sheet, "up-2", "").await;
    let sheet = Sheet::of(&page, EDIT);
    assert_eq!(names(&sheet), ["a", "c", "b"]);
    let page = desk.press(&sheet, "down-0", "").await;
    let sheet = Sheet::of(&page, EDIT);
    assert_eq!(names(&sheet), ["c", "a", "b"]);
    assert!(page.contains("aria-label=\"Remove question 2: A\""), "{page}");
    let page = desk.press(&sheet, "remove-1", "").await;
    let mut sheet = Sheet::of(&page, EDIT);
    assert_eq!(names(&sheet), ["c", "b"]);
    // Buttons at places that are none change nothing.
    for act in ["up-0", "down-1", "remove-9", "up-4294967295"] {
        assert_eq!(Sheet::of(&desk.press(&sheet, act, "").await, EDIT), sheet, "{act}");
    }
    assert_eq!(desk.stored().await, before, "nothing was saved");
    assert_eq!(desk.sheet("").await, sheet, "and nothing is lost by a look at the page");

    sheet.fill(&member(1, "min"), "1.5");
    let page = desk.press(&sheet, "save", "").await;
    assert!(!page.contains("not saved yet"), "{page}");
    let after = desk.stored().await;
    assert_eq!(after["title"], "Half typed");
    assert_eq!(after["success_message"], "One\nTwo");
    assert_eq!(
        after["fields"],
        json!([
            {
                "name": "c", "label": "Colour", "type": "select", "required": true,
                "help": "Of the thing.",
                "options": [
                    {"value": "red", "label": "Red"}, {"value": 1, "label": "One"},
                    {"value": "2", "label": "Two"}, {"value": true, "label": "true"},
                ],
            },
            {"name": "b", "label": "B", "type": "number", "min": 1.5},
        ])
    );
    assert_eq!(
        Sheet::of(&page, EDIT).get(&member(0, "options")).map(str::lines).map(Iterator::count),
        Some(4)
    );
    let acts = "select action from audit_events where object_type = 'form' order by seq";
    assert_eq!(world.sql(acts).await, ["form.create", "form.edit"]);
}

#[tokio::test]
async fn many_questions_keep_their_order() {
    let world = world().await;
    let fields: Vec<Value> = (0..23).map(|place| question(&format!("f{place}"), "text")).collect();
    let desk = Desk::with(&world, json!(fields)).await;
    let sheet = desk.sheet("").await;
    desk.press(&sheet, "save", "").await;
    assert_eq!(desk.stored().await["fields"], json!(fields));
    let sheet = Sheet::of(&desk.press(&sheet, "up-11", "").await, EDIT);
    assert_eq!(names(&sheet)[9..12], ["f9", "f11", "f10"]);
}

#[tokio::test]
async fn a_refused_save_names_each_field_and_keeps_all_that_was_typed() {
    let world = world().await;
    let fields = json!([question("a", "text"), question("b", "number"), choice("c")]);
    let desk = Desk::with(&world, fields).await;
    let before = desk.stored().await;
    let mut sheet = desk.sheet("").await;
    for (name, value) in [
        ("form[title]".to_owned(), ""),
        ("form[limit]".to_owned(), "many"),
        ("form[asker]".to_owned(), "Treasury"),
        ("form[password]".to_owned(), "pssst"),
        (member(0, "name"), ""),
        (member(0, "max_length"), "-1"),
        (member(1, "min"), "few"),
        (member(1, "help"), ATTACK),
        (member(2, "options"), "x | X\ny |"),
    ] {
        sheet.fill(&name, value);
    }
    let page = desk.press(&sheet, "save", "").await;
    for (target, said) in [
        ("title", "Title: must not be empty."),
        ("token_budget-limit", "Submissions: must be a whole number"),
        ("password", "New password: must have at least 6 characters."),
        ("fields-0-name", "Question 1, field that takes the answer: must not be empty."),
        ("fields-0-max_length", "Question 1, most characters: must be"),
        ("fields-1-min", "Question 2, least number: must be a number."),
        ("fields-2-options", "Question 3, options, line 2: must not be empty."),
    ] {
        let link = format!("href=\"#{target}\"");
        assert!(page.contains(&link), "no link to {target}: {page}");
        assert!(page.contains(&format!("id=\"{target}\"")), "nothing to link to: {target}");
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(page.contains("role=\"alert\" tabindex=\"-1\" autofocus"), "the list takes the focus");
    assert!(page.contains("Type the new password again") && !page.contains("pssst"), "{page}");
    let mut kept = Sheet::of(&page, EDIT);
    sheet.fill("form[password]", "");
    assert_eq!(kept, sheet);
    assert_eq!(desk.stored().await, before);

    // What only the service can judge comes back the same way.
    for (name, value) in [
        ("form[title]".to_owned(), "Payments"),
        ("form[limit]".to_owned(), "7"),
        ("form[decision_type]".to_owned(), "loan"),
        (member(0, "name"), "a"),
        (member(0, "max_length"), ""),
        (member(1, "min"), ""),
        (member(2, "options"), "x | X"),
    ] {
        kept.fill(&name, value);
    }
    let page = desk.press(&kept, "save", "").await;
    assert!(
        page.contains("href=\"#decision_type\"") && page.contains("none of the decision types")
    );
    kept.fill("form[decision_type]", "payment");
    kept.fill(&member(0, "pattern"), "(");
    let page = desk.press(&kept, "save", "").await;
    assert!(page.contains("href=\"#fields-0-pattern\""), "{page}");
    kept.fill(&member(0, "pattern"), "^a");
    desk.press(&kept, "save", "").await;
    let after = desk.stored().await;
    assert_eq!(
        (&after["title"], &after["fields"][0]["pattern"]),
        (&json!("Payments"), &json!("^a"))
    );
    assert_eq!(after["fields"][1]["help"], ATTACK);
}

#[tokio::test]
async fn a_form_asks_at_least_one_question_and_changes_can_be_discarded() {
    let world = world().await;
    let desk = Desk::with(&world, json!([question("a", "text")])).await;
    let sheet = desk.sheet("").await;
    let page = desk.press(&sheet, "remove-0", "").await;
    let empty = Sheet::of(&page, EDIT);
    assert_eq!(names(&empty), Vec::<&str>::new());
    let page = desk.press(&empty, "save", "").await;
    assert!(page.contains("href=\"#fields\"") && page.contains("at least one element"), "{page}");
    let page = desk.press(&empty, "discard", "").await;
    assert!(!page.contains("not saved yet"), "{page}");
    assert_eq!(Sheet::of(&page, EDIT), sheet);
}

#[tokio::test]
async fn the_same_questions_stand_there_as_json() {
    let world = world().await;
    let desk = Desk::with(&world, json!([question("a", "text")])).await;
    let mut sheet = desk.sheet("").await;
    sheet.fill(&member(0, "label"), "Changed");
    sheet.fill("form[title]", "Typed before");
    let page = desk.press(&sheet, "json", "?as=json").await;
    let mut json = Sheet::of(&page, EDIT);
    let written: Value = serde_json::from_str(json.get("form[json]").unwrap()).expect("JSON");
    assert_eq!(written, json!([{"name": "a", "label": "Changed", "type": "text"}]));
    assert_eq!(json.get("form[title]"), Some("Typed before"));

    for (typed, said) in [
        ("[{", "Questions: this is not JSON"),
        (r#"[{"name": "a", "label": "A", "typ": "text"}]"#, "did you mean <code>type"),
        (
            r#"[{"name": "a", "label": "", "type": "text"}]"#,
            "Question 1, question: must not be empty",
        ),
        ("{}", "must be an array"),
    ] {
        json.fill("form[json]", typed);
        for act in ["save", "questions"] {
            let page = desk.press(&json, act, "?as=json").await;
            assert!(
                page.contains(said) && page.contains("href=\"#fields\""),
                "{act} {said}: {page}"
            );
            assert_eq!(Sheet::of(&page, EDIT), json, "{typed}");
        }
    }
    json.fill("form[json]", &json!([question("p", "text"), question("q", "url")]).to_string());
    let page = desk.press(&json, "questions", "").await;
    assert_eq!(names(&Sheet::of(&page, EDIT)), ["p", "q"]);
    desk.press(&json, "save", "?as=json").await;
    assert_eq!(desk.stored().await["fields"][1]["type"], "url");
    assert_eq!(names(&desk.sheet("").await), ["p", "q"]);

    // What no field can show stands as JSON, whole.
    let odd = json!([{"name": " a", "label": "A\nB", "type": "text"}]);
    world.key.patch(format!("/v1/forms/{}", desk.id), &json!({"fields": odd})).await.expect(200);
    let page = desk.page("").await;
    assert!(page.contains("no field can show"), "{page}");
    let sheet = Sheet::of(&page, EDIT);
    desk.press(&sheet, "save", "?as=json").await;
    assert_eq!(desk.stored().await["fields"], odd);
}

#[tokio::test]
async fn no_text_of_a_question_becomes_markup() {
    let world = world().await;
    let desk = Desk::with(&world, json!([choice("a"), question("b", "text")])).await;
    let mut sheet = desk.sheet("").await;
    for name in ["name", "label", "help", "placeholder", "options"] {
        sheet.fill(&member(0, name), ATTACK);
    }
    for name in ["kind", "min", "max", "pattern", "max_length"] {
        sheet.fill(&member(1, name), ATTACK);
    }
    let clean = |page: &str| assert!(!page.contains("<script>alert"), "{page}");
    let refused = desk.press(&sheet, "save", "").await;
    clean(&refused);
    assert_eq!(Sheet::of(&refused, EDIT).get(&member(0, "label")), Some(ATTACK));
    assert!(refused.contains("href=\"#fields-1-type\""), "{refused}");
    clean(&desk.press(&sheet, "json", "?as=json").await);
    sheet.fill(&member(0, "options"), &format!("{ATTACK} {ATTACK}"));
    sheet.fill(&member(1, "kind"), "text");
    sheet.fill(&member(1, "max_length"), "");
    sheet.fill(&member(1, "pattern"), "");
    clean(&desk.press(&sheet, "add", "").await);
    clean(&desk.press(&sheet, "save", "").await);
    let stored = desk.stored().await;
    assert_eq!(stored["fields"][0]["label"], ATTACK);
    let preview = preview(&desk, &sheet).await;
    clean(&preview.expect(200).to_string());
}

async fn preview(desk: &Desk<'_>, sheet: &Sheet) -> TestResponse {
    let typed = format!("tenant={}&{}", desk.world.tenant, sheet.pressed("save"));
    desk.browser
        .client("theme=dark")
        .without("accept")
        .call("POST", "/console/preview-questions")
        .body(FORM, typed)
        .await
}

#[tokio::test]
async fn the_preview_shows_what_is_right_and_says_what_is_not() {
    let world = world().await;
    let desk = Desk::with(&world, json!([question("a", "text"), question("b", "text")])).await;
    let mut sheet = desk.sheet("").await;
    sheet.fill(&member(0, "label"), "<b>Bold</b>");
    sheet.fill(&member(1, "label"), "");
    let html = preview(&desk, &sheet).await.expect(200);
    let html = text(&html);
    assert!(html.contains("&lt;b&gt;Bold") && html.contains("Question 2, question:"), "{html}");
    let nobody = world.public.with("sec-fetch-site", "same-origin").with("accept", "text/html");
    let call = nobody.call("POST", "/console/preview-questions");
    let typed = format!("tenant={}&{}", world.tenant, sheet.pressed("save"));
    let refused = call.body(FORM, typed).await;
    assert_eq!(refused.header("location"), Some("/login?next=%2F"), "{refused:?}");
}

#[tokio::test]
async fn what_is_typed_is_there_again_when_its_page_was_left() {
    let world = world().await;
    let desk = Desk::with(&world, json!([question("a", "text")])).await;
    let mut sheet = desk.sheet("").await;
    let saved = sheet.get(&member(0, "label")).expect("a label").to_owned();
    sheet.fill(&member(0, "label"), "Half a thou");
    preview(&desk, &sheet).await.expect(200);
    let page = desk.browser.page(&desk.at("")).await.text;
    assert!(page.contains("Half a thou") && page.contains("not saved yet"), "{page}");
    // Typed back, there is nothing to save.
    sheet.fill(&member(0, "label"), &saved);
    preview(&desk, &sheet).await.expect(200);
    let page = desk.browser.page(&desk.at("")).await.text;
    assert!(page.contains(&saved) && !page.contains("not saved yet"), "{page}");
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    let refused = viewer.post("/console/preview-questions", &sheet.pressed("save")).await;
    assert_eq!(refused.status, 403, "{refused:?}");
}

#[tokio::test]
async fn who_only_reads_may_look_and_change_nothing() {
    let world = world().await;
    let desk = Desk::with(&world, json!([question("a", "text")])).await;
    let sheet = desk.sheet("").await;
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    let page = viewer.page(&desk.at("")).await.text;
    assert!(page.contains("as=json"), "{page}");
    assert!(page.contains("<fieldset disabled"), "{page}");
    assert!(viewer.page(&desk.at("?as=json")).await.text.contains("form[json]"));
    for act in ["add", "save", "json"] {
        let answer = viewer.post(EDIT, &sheet.pressed(act)).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let page = viewer.page(&desk.at("")).await.text;
        assert!(page.contains("FORBIDDEN") && !page.contains("not saved yet"), "{act}: {page}");
    }
    let missing =
        sheet.pressed("add").replace(&encoded(&desk.id), "00000000-0000-4000-8000-000000000000");
    let answer = desk.browser.post(EDIT, &missing).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    assert!(!desk.page("").await.contains("not saved yet"));
}

//! The input of refused forms that a session keeps.

use http::HeaderValue;

use crate::prelude::*;

/// The limit of what a session keeps, and room for the sign-in.
const BYTES_MAX: usize = 262_144 + 4_096;

/// Returns the size of the largest session in bytes.
async fn largest_session(service: &TestService) -> usize {
    let sizes = service.sql("select max(octet_length(data))::text from session_digests").await;
    sizes[0].parse().expect("a number")
}

#[testkit::test]
async fn refused_input_of_any_number_of_forms_is_limited_in_bytes(service: TestService) {
    let viewer = Browser::member(&service, Role::Viewer).await;
    let group = |id: u32, description: &str| {
        format!(
            "id=00000000-0000-4000-8000-{id:012}&form%5Bcode%5D=G&form%5Bname%5D=G\
             &form%5Bdescription%5D={description}&form%5Bseen%5D=%7B%7D"
        )
    };
    for id in 0..20 {
        let refused = viewer.post("/console/edit-group", &group(id, &"x".repeat(50_000))).await;
        assert_eq!(refused.status, 303, "{}", refused.text);
        assert!(largest_session(&service).await <= BYTES_MAX, "{id}");
    }
    let refused = viewer.post("/console/edit-group", &group(99, &"x".repeat(900_000))).await;
    assert_eq!(refused.status, 303, "{}", refused.text);
    assert!(largest_session(&service).await <= BYTES_MAX);
}

#[tokio::test]
async fn the_page_of_a_form_that_is_too_large_to_be_retained_says_so_and_lists_the_errors() {
    let service = test_service().await;
    let author = Browser::member(&service, Role::Author).await;
    let form = |code: &str, description: &str| {
        let name = encoded("Größe");
        format!(
            "form%5Bcode%5D={code}&form%5Bname%5D={name}&form%5Bdescription%5D={description}\
                 &form%5Btypes%5D=&form%5Bgroup%5D=&form%5Brefs%5D=&form%5Bseen%5D="
        )
    };
    let large = form("a+b", &"x".repeat(500_000));
    let refused = author.post("/console/create-policy", &large).await;
    refused.assert_redirects_to(&author.at("policies/new"));
    let page = author.page("policies/new").await;
    assert_eq!(page.status, 200);
    assert_contains(
        &page.text,
        ["Your input was too large to be stored.", "must start with a letter or digit"],
    );
    assert!(!page.text.contains("xxxxxxxxxx"));

    // Smaller input is shown again.
    author.post("/console/create-policy", &form("a+b", "short")).await;
    let page = author.page("policies/new").await;
    assert!(page.text.contains("Größe") && !page.text.contains("too large"), "{}", page.text);

    // A visitor has no session, and a cookie would not take a text of any length.
    let visitor = service.public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
    let body = format!("email={}&password=x&next=", "x".repeat(100_000));
    let refused = visitor.call("POST", "/console/log-in").body(FORM, body).await;
    assert!(refused.status < 500, "{refused:?}");
    let cookies = refused.headers.get_all("set-cookie").iter().map(HeaderValue::len);
    assert!(cookies.sum::<usize>() < 4_096, "{refused:?}");
}

//! All cookies of the service have the same protection, which depends on the public URL.

use crate::prelude::*;

async fn https_service() -> TestService {
    TestServiceBuilder { is_https: true, ..TestServiceBuilder::default() }.start().await
}

/// Returns the cookies that a response sets, with their attributes.
fn cookies(response: &TestResponse) -> Vec<&str> {
    let cookies = response.headers.get_all("set-cookie").iter();
    cookies.map(|value| value.to_str().expect("a cookie is ASCII")).collect()
}

async fn create_key(browser: &Browser<'_>) -> TestResponse {
    let id = "5d7d8001-0000-4000-8000-000000000001";
    let form = format!("id={id}&name=billing&scopes%5B%5D=policies%3Aread&expires=");
    browser.post("/console/create-key", &form).await
}

#[tokio::test]
async fn every_cookie_is_bound_to_the_host_under_https() {
    let service = https_service().await;
    let browser = Browser::new(&service, &service.admin().await);
    let visitor = service.public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
    let post = async |path: &str, body: &str| visitor.call("POST", path).body(FORM, body).await;
    // None of the requests has an `Origin` header.
    let responses = [
        create_key(&browser).await,
        browser.post("/console/prefer", "name=theme&value=dark").await,
        post("/console/log-in", "email=a%40acme.example&password=wrong&next=%2F").await,
    ];
    for response in responses {
        let cookies = cookies(&response);
        assert!(!cookies.is_empty(), "{response:?}");
        for cookie in cookies {
            assert!(cookie.starts_with("__Host-"), "{cookie}");
            for attribute in ["; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"] {
                assert!(cookie.contains(attribute), "{attribute} of {cookie}");
            }
            assert!(!cookie.contains("Domain"), "{cookie}");
        }
    }
}

#[tokio::test]
async fn the_cookie_with_a_new_key_is_read_only_by_its_page() {
    for service in [test_service().await, https_service().await] {
        let browser = Browser::new(&service, &service.admin().await);
        let created = create_key(&browser).await;
        let cookie = cookies(&created)[0].split(';').next().expect("a pair").to_owned();
        let client = browser.client(&cookie);
        let other = client.get(browser.at("members")).await;
        assert_eq!((secret(&other.text), cookies(&other).len()), (None, 0), "{}", other.text);
        let page = client.get(browser.at("keys")).await;
        assert!(secret(&page.text).is_some() && contains_text(&page.text, "billing"));
    }
}

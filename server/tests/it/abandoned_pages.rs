//! Page requests whose client closes the connection while the page is rendered.

use std::{
    panic::{set_hook, take_hook},
    sync::{Arc, Mutex},
    thread,
};

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::{
    prelude::*,
    session_races::{lock_rows, wait_until_blocked},
};

/// The panics of the thread of a test, also those that the runtime catches.
struct Panics(Arc<Mutex<Vec<String>>>);

impl Panics {
    /// Records panics from now on.
    fn record() -> Self {
        let panics = Arc::new(Mutex::new(Vec::new()));
        let (recorded, test) = (Arc::clone(&panics), thread::current().id());
        let previous = take_hook();
        set_hook(Box::new(move |panic| {
            if thread::current().id() == test {
                recorded.lock().expect("no recorder panics").push(panic.to_string());
            }
            previous(panic);
        }));
        Self(panics)
    }

    fn count(&self) -> usize {
        self.0.lock().expect("no recorder panics").len()
    }
}

/// Sends a request for a page without reading the response.
async fn request_page(browser: &Client, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(browser.address()).await.expect("the service listens");
    socket.write_all(&browser.get(path).head(0)).await.expect("the service reads");
    socket
}

/// Waits until the service has read what its connections received before.
async fn wait_for_service(service: &TestService) {
    for _ in 0..3 {
        service.public.get("/v1/health").await.expect(200);
    }
}

#[tokio::test]
async fn a_page_that_is_abandoned_while_it_waits_for_the_database_ends_without_a_panic() {
    let service = test_service().await;
    let browser = Browser::member(&service, Role::Admin).await;
    let client = browser.client("theme=dark");
    let panics = Panics::record();
    // Each page reads the request again after it has read this table.
    for (path, table) in [("keys", "api_keys"), ("groups", "policy_groups")] {
        let lock =
            lock_rows(&service, &format!("lock table {table} in access exclusive mode")).await;
        let socket = request_page(&client, &browser.at(path)).await;
        wait_until_blocked(&service, 1).await;
        drop(socket);
        wait_for_service(&service).await;
        lock.rollback().await.expect("the lock is released");
        // The statement that waited has ended before this page reads the table.
        assert_eq!(browser.page(path).await.status, 200, "{path}");
        wait_for_service(&service).await;
        assert_eq!(panics.count(), 0, "{path}");
    }
}

#[testkit::test]
async fn pages_that_are_abandoned_at_any_time_end_without_a_panic(service: TestService) {
    service.active("PAY-01").await;
    let browser = Browser::member(&service, Role::Admin).await;
    let client = browser.client("theme=dark");
    let panics = Panics::record();
    for pause in 0..40 {
        for path in ["keys", "policies", "audit", "capabilities"] {
            let socket = request_page(&client, &browser.at(path)).await;
            for _ in 0..pause {
                tokio::task::yield_now().await;
            }
            drop(socket);
        }
    }
    for path in ["keys", "policies", "audit", "capabilities"] {
        assert_eq!(browser.page(path).await.status, 200, "{path}");
    }
    wait_for_service(&service).await;
    assert_eq!(panics.count(), 0);
}

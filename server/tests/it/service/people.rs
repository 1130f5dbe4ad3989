//! What tests read about users, and the requests that users send to sign in.

use super::TestService;
use crate::prelude::*;

/// Returns the ID of a signed-in user.
pub(crate) async fn user_id(person: &Client) -> Value {
    person.get("/v1/session").await.expect(200)["user"]["id"].clone()
}

/// Returns the status of a read in the tenant.
pub(crate) async fn read_status(client: &Client) -> u16 {
    client.get("/v1/policies").await.status
}

impl TestService {
    /// Sets the password of an account with the token of a setup or reset link.
    pub(crate) async fn set_password(&self, token: &str, password: &str) -> TestResponse {
        let body = json!({"token": token, "password": password});
        self.public.post("/v1/session/setup", &body).await
    }

    /// Returns the status of a sign-in.
    pub(crate) async fn sign_in_status(&self, email: &str, password: &str) -> u16 {
        let credentials = json!({"email": email, "password": password});
        self.public.without_session().post("/v1/session", &credentials).await.status
    }
}

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

    /// Makes the address of an account unproven, as if an admin of the tenant had set the account up.
    pub(crate) async fn confine(&self, email: &str) {
        let confine = format!(
            "update users set setup_tenant_id = '{0}', confined_tenant_id = '{0}' \
             where email = '{email}' returning 'x'",
            self.tenant
        );
        self.sql(&confine).await;
    }

    /// Returns the status of a sign-in.
    pub(crate) async fn sign_in_status(&self, email: &str, password: &str) -> u16 {
        self.public.without_session().sign_in(email, password).await.status
    }
}

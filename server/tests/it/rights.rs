//! The role table of the contract over HTTP: a role calls the endpoints whose right it has, and no others.
//! `endpoints.txt` lists the roles of each endpoint, so a change of the code needs a reviewed change of the table.

use contract::scope::Role;

use crate::{
    routes::{self, Ids},
    service::test_service,
};

#[tokio::test]
async fn each_role_calls_exactly_the_endpoints_of_its_rights() {
    let service = test_service().await;
    for role in Role::ALL {
        let person = service.signed_in_member(role).await;
        for (route, permission) in routes::guarded() {
            let response = routes::call(&person, &route, &Ids::missing()).await.to_string();
            let case = format!("{role} {}: {response}", routes::name(&route));
            if role.has(permission.right) {
                assert!(!response.starts_with("403 "), "{case}");
            } else {
                assert_eq!(response, "403 FORBIDDEN", "{case}");
            }
        }
    }
}

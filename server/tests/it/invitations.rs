//! Invitations: a membership has no rights until the owner of the address accepts it.

use governance::access::operator;

use crate::{
    client::Call,
    mailbox::{Mailbox, token},
    prelude::*,
    service::OtherTenant,
};

const INVITE: &str = "/v1/admin/members/invite";
const INVITATIONS: &str = "/v1/session/invitations";
const USERS: &str = "/v1/admin/users";
const VICTIM: &str = "vera@victim.example";

/// A password that an admin chooses for the account of another user.
const ADMIN_CHOSEN_PASSWORD: &str = "a password that an admin chose";

fn accept(service: &TestService) -> String {
    format!("{INVITATIONS}/{}/accept", service.tenant)
}

fn decline(service: &TestService) -> String {
    format!("{INVITATIONS}/{}/decline", service.tenant)
}

async fn invite(by: &Client, email: &str, role: &str) -> TestResponse {
    by.post(INVITE, &json!({"email": email, "role": role})).await
}

async fn sign_in(service: &TestService, email: &str, password: &str) -> Client {
    let client = service.public.with("x-service-tenant-id", service.tenant);
    client.sign_in(email, password).await.expect(200);
    client
}

/// Creates an account as the admin of another tenant and sets it up with a password of that admin.
async fn create_account_as_admin(service: &TestService, neighbour: &OtherTenant) -> Client {
    let draft = json!({"email": VICTIM, "display_name": "Vera"});
    let created = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, token) = text(&created["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(service.set_password(token, ADMIN_CHOSEN_PASSWORD).await.status, 204);
    let role = json!({"user_id": created["user"]["id"], "role": "ratifier"});
    neighbour.admin.post(INVITE, &role).await.expect(201);
    sign_in(service, VICTIM, ADMIN_CHOSEN_PASSWORD).await
}

#[testkit::test]
async fn account_created_by_an_admin_has_no_access_to_other_tenants(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    let impostor = create_account_as_admin(&service, &neighbour).await;
    // Without mail the address is unknown here.
    let admin = service.admin().await;
    assert_snapshot!(invite(&admin, VICTIM, "ratifier").await, @"404 NOT_FOUND");
    let by_id = admin.post(INVITE, &json!({"user_id": user_id(&impostor).await})).await;
    assert_snapshot!(by_id, @"404 NOT_FOUND");
    // With mail the owner of the address is invited; the impostor does not see the invitation.
    let mailbox = Mailbox::attach(&mut service).await;
    let member = invite(&admin, VICTIM, "ratifier").await.expect(201);
    assert_eq!((&member["status"], &member["role"]), (&json!("invited"), &json!("ratifier")));
    assert_ne!(member["user_id"], user_id(&impostor).await);
    assert_eq!(read_status(&impostor).await, 403);
    assert_eq!(impostor.get(INVITATIONS).await.expect(200), json!({"items": []}));
    assert_snapshot!(impostor.post(accept(&service), &json!({})).await, @"404 NOT_FOUND");
    // The owner opens the mailed link. From then on, owner and impostor are different users.
    let link = token(&mailbox.newest(&service, VICTIM).await);
    assert_eq!(service.set_password(&link, PASSWORD).await.status, 204);
    let owner = sign_in(&service, VICTIM, PASSWORD).await;
    assert_eq!(read_status(&owner).await, 200);
    assert_eq!(user_id(&owner).await, member["user_id"]);
    let second_session = sign_in(&service, VICTIM, ADMIN_CHOSEN_PASSWORD).await;
    assert_eq!((read_status(&second_session).await, read_status(&impostor).await), (403, 403));
    let other_tenant = owner.without("x-service-tenant-id");
    assert_eq!(read_status(&other_tenant.with("x-service-tenant-id", neighbour.tenant)).await, 403);
}

#[testkit::test]
async fn invited_member_has_no_rights_until_acceptance(service: TestService) {
    let neighbour = service.other_tenant().await;
    let admin = service.admin().await;
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", service.tenant);
    let guest_id = user_id(&guest).await;
    let invitation = json!({"user_id": guest_id, "role": "admin"});
    let response = admin.post(INVITE, &invitation).await;
    let member = response.expect(201);
    assert_eq!((&member["status"], &member["user_id"]), (&json!("invited"), &guest_id));
    let path = format!("/v1/admin/members/{}", text(&guest_id));
    assert_eq!(response.header("location"), Some(&*path));
    assert_snapshot!(admin.post(INVITE, &invitation).await, @"409 CONFLICT");
    let members = admin.get("/v1/admin/members").await.expect(200);
    assert_eq!(members["items"][0], member);

    assert_eq!(read_status(&guest).await, 403);
    let memberships = guest.get("/v1/session").await.expect(200)["memberships"].clone();
    assert_eq!(memberships.as_array().map(Vec::len), Some(1), "not of this tenant: {memberships}");
    // An invited admin does not count: the only active admin cannot be removed.
    let own_membership = format!("/v1/admin/members/{}", text(&user_id(&admin).await));
    assert_snapshot!(admin.delete(own_membership).await, @"409 CONFLICT");

    let invitations = guest.get(INVITATIONS).await.expect(200);
    let expected = json!([{
        "tenant_id": service.tenant.to_string(), "tenant_name": "Acme", "role": "admin",
        "invited_by": "admin", "created_at": member["created_at"],
    }]);
    assert_eq!(invitations["items"], expected);
    let accepted = guest.post(accept(&service), &json!({})).await.expect(200);
    assert_eq!(
        accepted,
        json!({
            "tenant_id": service.tenant.to_string(), "tenant_name": "Acme", "role": "admin",
        })
    );
    assert_eq!(read_status(&guest).await, 200);
    assert_snapshot!(guest.post(accept(&service), &json!({})).await, @"404 NOT_FOUND");
    assert_snapshot!(guest.post(decline(&service), &json!({})).await, @"404 NOT_FOUND");
    let log = service.key.get("/v1/audit-log?action=member.accept").await.expect(200);
    assert_eq!(log["items"][0]["actor_email"], "admin@neighbour.example");
}

#[testkit::test]
async fn declined_invitation_is_removed_and_can_be_repeated(service: TestService) {
    let neighbour = service.other_tenant().await;
    let guest = &neighbour.admin;
    let invitation = json!({"user_id": user_id(guest).await});
    service.key.post(INVITE, &invitation).await.expect(201);
    assert_eq!(guest.post(decline(&service), &json!({})).await.status, 204);
    assert_eq!(guest.get(INVITATIONS).await.expect(200), json!({"items": []}));
    service.key.post(INVITE, &invitation).await.expect(201);
    // A removal also ends an invitation.
    let path = format!("/v1/admin/members/{}", text(&invitation["user_id"]));
    assert_eq!(service.key.delete(path).await.status, 204);
    assert_snapshot!(guest.post(accept(&service), &json!({})).await, @"404 NOT_FOUND");
    let unauthenticated = service.public.post(accept(&service), &json!({})).await;
    assert_snapshot!(unauthenticated, @"401 UNAUTHORIZED");
}

#[testkit::test]
async fn verified_account_can_accept_an_invitation_of_its_address(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    let mailbox = Mailbox::attach(&mut service).await;
    let admin = service.admin().await;
    let email = "admin@neighbour.example";
    let member = invite(&admin, email, "reviewer").await.expect(201);
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", service.tenant);
    assert_ne!(
        member["user_id"],
        user_id(&guest).await,
        "the account in the other tenant is not disclosed"
    );

    // The mailed link creates no second account for an address that has one.
    let link = token(&mailbox.newest(&service, email).await);
    let refusal = service.set_password(&link, "some other words of mine").await;
    assert_snapshot!(refusal, @"409 CONFLICT");

    guest.post(accept(&service), &json!({})).await.expect(200);
    assert_eq!(read_status(&guest).await, 200);
    let members = admin.get("/v1/admin/members").await.expect(200);
    assert_eq!(members["items"][0]["user_id"], user_id(&guest).await);
    assert_eq!(members["items"][0]["status"], "active");
    assert_eq!(
        service.set_password(&link, PASSWORD).await.status,
        404,
        "the link is no longer valid"
    );
    assert_snapshot!(invite(&admin, email, "viewer").await, @"409 CONFLICT");
    let draft = json!({"email": email, "display_name": "Second"});
    assert_snapshot!(admin.post(USERS, &draft).await, @"409 CONFLICT");
    // After a removal, the user must accept a new invitation.
    let path = format!("/v1/admin/members/{}", text(&user_id(&guest).await));
    assert_eq!(admin.delete(path).await.status, 204);
    assert_eq!(read_status(&guest).await, 403);
    invite(&admin, email, "viewer").await.expect(201);
    guest.post(accept(&service), &json!({})).await.expect(200);
    assert_eq!(read_status(&guest).await, 200);
}

#[testkit::test]
async fn mailed_link_verifies_an_address_and_a_displayed_link_does_not(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    let draft = |name: &str| json!({"email": format!("{name}@new.example"), "display_name": name});
    let displayed = neighbour.admin.post(USERS, &draft("displayed")).await.expect(201);
    let (_, link) = text(&displayed["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(service.set_password(link, PASSWORD).await.status, 204);

    let mailbox = Mailbox::attach(&mut service).await;
    // With mail the response contains no link.
    let mailed = neighbour.admin.post(USERS, &draft("mailed")).await.expect(201);
    assert_eq!(
        mailed.as_object().map(|members| members.keys().collect::<Vec<_>>()),
        Some(vec![&"user".to_owned()])
    );
    let message = mailbox.newest(&service, "mailed@new.example").await;
    assert_eq!(message.subject.as_str(), "Your Govern account at Neighbour");
    assert_eq!(service.set_password(&token(&message), PASSWORD).await.status, 204);

    let by_id = |created: &Value| json!({"user_id": created["user"]["id"]});
    assert_snapshot!(service.key.post(INVITE, &by_id(&displayed)).await, @"404 NOT_FOUND");
    service.key.post(INVITE, &by_id(&mailed)).await.expect(201);
    // The operator verifies the other account.
    let email = "displayed@new.example";
    let verified = operator::verify_user(&service.governance, neighbour.tenant, email).await;
    assert_eq!(json!(verified.expect("an account of the tenant").user_id), displayed["user"]["id"]);
    service.key.post(INVITE, &by_id(&displayed)).await.expect(201);
}

/// The addresses of a verified account in another tenant, of an unverified one, and of no account.
const ADDRESSES: [&str; 3] = ["admin@neighbour.example", VICTIM, "unknown@nowhere.example"];

/// Returns the status and the body of a call, which must be the same for each of the addresses.
async fn common_response(call: &dyn Fn(&str) -> Call) -> (u16, String) {
    let mut responses = Vec::new();
    for address in ADDRESSES {
        let response = call(address).await;
        let mut body = Value::Null;
        if !response.text.is_empty() {
            body = response.without_correlation_id();
        }
        for id in ["/user_id", "/user/id", "/setup_url"] {
            if let Some(id) = body.pointer_mut(id) {
                *id = json!("…");
            }
        }
        let body = body.to_string().replace(address, "ADDRESS");
        responses.push((response.status, body));
    }
    assert!(responses.iter().all(|response| *response == responses[0]), "{responses:#?}");
    responses.remove(0)
}

#[testkit::test]
async fn responses_do_not_disclose_accounts_of_other_tenants(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    create_account_as_admin(&service, &neighbour).await;
    let admin = service.admin().await;
    let invitation =
        |address: &str| admin.post(INVITE, &json!({"email": address, "role": "author"}));
    let public = service.public.clone();
    let reset = |address: &str| public.post("/v1/session/reset", &json!({"email": address}));
    assert_eq!(common_response(&invitation).await.0, 404);
    assert_eq!(common_response(&reset).await, (202, "null".to_owned()));
    let mailbox = Mailbox::attach(&mut service).await;
    assert_eq!(common_response(&invitation).await.0, 201);
    assert_eq!(common_response(&invitation).await.0, 409);
    assert_eq!(common_response(&reset).await, (202, "null".to_owned()));
    // The mail of an invitation is the same for each address, too.
    let mut texts = Vec::new();
    for address in ADDRESSES {
        let messages = mailbox.messages(&service, address).await;
        let invitation = messages.iter().find(|one| one.subject.as_str().starts_with("Invitation"));
        let body = &invitation.expect("an invitation").body;
        let link = token(invitation.expect("an invitation"));
        texts.push(body.replace(&link, "TOKEN"));
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
}

#[testkit::test]
async fn account_can_be_created_for_every_address_unknown_to_the_tenant(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    create_account_as_admin(&service, &neighbour).await;
    let admin = service.admin().await;
    for has_mail in [false, true] {
        let draft = |address: &str| json!({"email": address, "display_name": "Vera"});
        let response = common_response(&|address| admin.post(USERS, &draft(address))).await;
        assert_eq!((response.0, response.1.contains("setup_url")), (201, !has_mail));
        Mailbox::attach(&mut service).await;
    }
}

#[testkit::test]
async fn operator_adds_a_verified_account_without_an_invitation(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    create_account_as_admin(&service, &neighbour).await;
    let add = async |service: &TestService, email: &str, role| {
        let added = operator::add_user(&service.governance, service.tenant, email, role).await;
        added.map_err(|error| error.to_string())
    };
    let refusal = add(&service, VICTIM, Role::Author)
        .await
        .expect_err("an unverified account of another tenant");
    assert!(refusal.contains("no verified account has this email"), "{refusal}");
    let email = "admin@neighbour.example";
    let added = add(&service, email, Role::Author).await.expect("a verified account");
    assert_eq!((&*added.email, added.role), (email, Role::Author));
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", service.tenant);
    assert_eq!(read_status(&guest).await, 200);
    let error = add(&service, email, Role::Viewer).await.expect_err("a member already");
    assert!(error.contains("already a member"), "{error}");
    // Adding a user who was invited by address replaces the invitation.
    let _mailbox = Mailbox::attach(&mut service).await;
    let path = format!("/v1/admin/members/{}", text(&user_id(&guest).await));
    assert_eq!(service.admin().await.delete(path).await.status, 204);
    invite(&service.admin().await, email, "viewer").await.expect(201);
    add(&service, email, Role::Auditor).await.expect("a verified account");
    let members = service.key.get("/v1/admin/members").await.expect(200);
    let member = &members["items"][0];
    assert_eq!((&member["role"], &member["status"]), (&json!("auditor"), &json!("active")));
    assert_eq!(member["user_id"], user_id(&guest).await);
}

#[tokio::test]
async fn operator_cannot_verify_a_second_account_or_an_account_without_a_password() {
    let service = test_service().await;
    let neighbour = service.other_tenant().await;
    let admin = service.admin().await;
    let verify = async |email: &str| {
        let verified = operator::verify_user(&service.governance, service.tenant, email).await;
        verified.map_err(|error| error.to_string())
    };
    assert!(verify("unknown@acme.example").await.is_err());
    let email = "admin@neighbour.example";
    let created =
        admin.post(USERS, &json!({"email": email, "display_name": "A"})).await.expect(201);
    let refusal = verify(email).await.expect_err("no password yet");
    assert!(refusal.contains("no password yet"), "{refusal}");
    let (_, link) = text(&created["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(service.set_password(link, ADMIN_CHOSEN_PASSWORD).await.status, 204);
    let refusal = verify(email).await.expect_err("the address has a verified account");
    assert!(refusal.contains("`govern user add`"), "{refusal}");
    // Each account still works in its own tenant.
    admin.post(INVITE, &json!({"email": email})).await.expect(201);
    assert_eq!(read_status(&sign_in(&service, email, ADMIN_CHOSEN_PASSWORD).await).await, 200);
    assert_eq!(read_status(&neighbour.admin).await, 200);
}

//! Invitations: a membership carries no rights until the owner of the address accepts it.

use contract::scope::Role;
use governance::access::operator;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Call, Client, TestResponse, text},
    mailbox::{Mailbox, token},
    service::{OtherTenant, PASSWORD, TestService, world},
};

const INVITE: &str = "/v1/admin/members/invite";
const INVITATIONS: &str = "/v1/session/invitations";
const USERS: &str = "/v1/admin/users";
const VICTIM: &str = "vera@victim.example";

/// A password that the admin of a tenant chooses for an account of somebody else.
const CHOSEN: &str = "a password that an admin chose";

fn accept(world: &TestService) -> String {
    format!("{INVITATIONS}/{}/accept", world.tenant)
}

fn decline(world: &TestService) -> String {
    format!("{INVITATIONS}/{}/decline", world.tenant)
}

async fn invite(by: &Client, email: &str, role: &str) -> TestResponse {
    by.post(INVITE, &json!({"email": email, "role": role})).await
}

async fn set_up(world: &TestService, token: &str, password: &str) -> TestResponse {
    let body = json!({"token": token, "password": password});
    world.public.post("/v1/session/setup", &body).await
}

async fn sign_in(world: &TestService, email: &str, password: &str) -> Client {
    let person = world.public.with("x-service-tenant-id", world.tenant);
    let credentials = json!({"email": email, "password": password});
    person.post("/v1/session", &credentials).await.expect(200);
    person
}

async fn reads(person: &Client) -> u16 {
    person.get("/v1/policies").await.status
}

async fn id(person: &Client) -> Value {
    person.get("/v1/session").await.expect(200)["user"]["id"].clone()
}

/// The admin of the neighbour makes an account for an address and opens it with a password of their own.
async fn account_of_an_admin(world: &TestService, neighbour: &OtherTenant) -> Client {
    let draft = json!({"email": VICTIM, "display_name": "Vera"});
    let made = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, token) = text(&made["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(set_up(world, token, CHOSEN).await.status, 204);
    let role = json!({"user_id": made["user"]["id"], "role": "ratifier"});
    neighbour.admin.post(INVITE, &role).await.expect(201);
    sign_in(world, VICTIM, CHOSEN).await
}

#[tokio::test]
async fn an_account_that_an_admin_made_for_an_address_opens_no_other_tenant() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let impostor = account_of_an_admin(&world, &neighbour).await;
    // Without mail the address is unknown here.
    let admin = world.admin().await;
    assert_snapshot!(invite(&admin, VICTIM, "ratifier").await, @"404 NOT_FOUND");
    let by_id = admin.post(INVITE, &json!({"user_id": id(&impostor).await})).await;
    assert_snapshot!(by_id, @"404 NOT_FOUND");
    // With mail the owner of the address is invited, and the impostor learns nothing of it.
    let mailbox = Mailbox::of(&world);
    let invited = invite(&admin, VICTIM, "ratifier").await.expect(201);
    assert_eq!((&invited["status"], &invited["role"]), (&json!("invited"), &json!("ratifier")));
    assert_ne!(invited["user_id"], id(&impostor).await);
    assert_eq!(reads(&impostor).await, 403);
    assert_eq!(impostor.get(INVITATIONS).await.expect(200), json!({"items": []}));
    assert_snapshot!(impostor.post(accept(&world), &json!({})).await, @"404 NOT_FOUND");
    // The owner opens the mailed link, and is somebody else than the impostor from then on.
    let link = token(&mailbox.newest(&world, VICTIM).await);
    assert_eq!(set_up(&world, &link, PASSWORD).await.status, 204);
    let owner = sign_in(&world, VICTIM, PASSWORD).await;
    assert_eq!(reads(&owner).await, 200);
    assert_eq!(id(&owner).await, invited["user_id"]);
    let again = sign_in(&world, VICTIM, CHOSEN).await;
    assert_eq!((reads(&again).await, reads(&impostor).await), (403, 403));
    let elsewhere = owner.without("x-service-tenant-id");
    assert_eq!(reads(&elsewhere.with("x-service-tenant-id", neighbour.tenant)).await, 403);
}

#[tokio::test]
async fn an_invited_member_has_no_rights_until_the_person_accepts() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let admin = world.admin().await;
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", world.tenant);
    let person = id(&guest).await;
    let invitation = json!({"user_id": person, "role": "admin"});
    let answer = admin.post(INVITE, &invitation).await;
    let member = answer.expect(201);
    assert_eq!((&member["status"], &member["user_id"]), (&json!("invited"), &person));
    let place = format!("/v1/admin/members/{}", text(&person));
    assert_eq!(answer.header("location"), Some(&*place));
    assert_snapshot!(admin.post(INVITE, &invitation).await, @"409 CONFLICT");
    let listed = admin.get("/v1/admin/members").await.expect(200);
    assert_eq!(listed["items"][0], member);

    assert_eq!(reads(&guest).await, 403);
    let memberships = guest.get("/v1/session").await.expect(200)["memberships"].clone();
    assert_eq!(memberships.as_array().map(Vec::len), Some(1), "not of this tenant: {memberships}");
    // An invited admin is none: the only active one stays.
    let me = format!("/v1/admin/members/{}", text(&id(&admin).await));
    assert_snapshot!(admin.delete(me).await, @"409 CONFLICT");

    let invitations = guest.get(INVITATIONS).await.expect(200);
    let expected = json!([{
        "tenant_id": world.tenant.to_string(), "tenant_name": "Acme", "role": "admin",
        "created_at": member["created_at"],
    }]);
    assert_eq!(invitations["items"], expected);
    let accepted = guest.post(accept(&world), &json!({})).await.expect(200);
    assert_eq!(
        accepted,
        json!({
            "tenant_id": world.tenant.to_string(), "tenant_name": "Acme", "role": "admin",
        })
    );
    assert_eq!(reads(&guest).await, 200);
    assert_snapshot!(guest.post(accept(&world), &json!({})).await, @"404 NOT_FOUND");
    assert_snapshot!(guest.post(decline(&world), &json!({})).await, @"404 NOT_FOUND");
    let log = world.key.get("/v1/audit-log?action=member.accept").await.expect(200);
    assert_eq!(log["items"][0]["actor_email"], "admin@neighbour.example");
}

#[tokio::test]
async fn a_declined_invitation_is_gone_and_can_be_made_again() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let guest = neighbour.admin.without("x-service-tenant-id");
    let invitation = json!({"user_id": id(&guest).await});
    world.key.post(INVITE, &invitation).await.expect(201);
    assert_eq!(guest.post(decline(&world), &json!({})).await.status, 204);
    assert_eq!(guest.get(INVITATIONS).await.expect(200), json!({"items": []}));
    world.key.post(INVITE, &invitation).await.expect(201);
    // A removal ends an invitation too.
    let place = format!("/v1/admin/members/{}", text(&invitation["user_id"]));
    assert_eq!(world.key.delete(place).await.status, 204);
    assert_snapshot!(guest.post(accept(&world), &json!({})).await, @"404 NOT_FOUND");
    let nobody = world.public.post(accept(&world), &json!({})).await;
    assert_snapshot!(nobody, @"401 UNAUTHORIZED");
}

#[tokio::test]
async fn the_holder_of_a_proven_account_accepts_what_an_address_was_invited_to() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let mailbox = Mailbox::of(&world);
    let admin = world.admin().await;
    let email = "admin@neighbour.example";
    let invited = invite(&admin, email, "reviewer").await.expect(201);
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", world.tenant);
    assert_ne!(invited["user_id"], id(&guest).await, "the account elsewhere is not disclosed");

    // The mailed link makes no second account for an address that has one.
    let link = token(&mailbox.newest(&world, email).await);
    let refused = set_up(&world, &link, "some other words of mine").await;
    assert_snapshot!(refused, @"409 CONFLICT");

    guest.post(accept(&world), &json!({})).await.expect(200);
    assert_eq!(reads(&guest).await, 200);
    let listed = admin.get("/v1/admin/members").await.expect(200);
    assert_eq!(listed["items"][0]["user_id"], id(&guest).await);
    assert_eq!(listed["items"][0]["status"], "active");
    assert_eq!(set_up(&world, &link, PASSWORD).await.status, 404, "the link is void");
    assert_snapshot!(invite(&admin, email, "viewer").await, @"409 CONFLICT");
    let draft = json!({"email": email, "display_name": "Again"});
    assert_snapshot!(admin.post(USERS, &draft).await, @"409 CONFLICT");
    // Removed and invited again, the person accepts again.
    let place = format!("/v1/admin/members/{}", text(&id(&guest).await));
    assert_eq!(admin.delete(place).await.status, 204);
    assert_eq!(reads(&guest).await, 403);
    invite(&admin, email, "viewer").await.expect(201);
    guest.post(accept(&world), &json!({})).await.expect(200);
    assert_eq!(reads(&guest).await, 200);
}

#[tokio::test]
async fn a_mailed_link_proves_an_address_and_one_that_an_admin_saw_does_not() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let draft = |name: &str| json!({"email": format!("{name}@new.example"), "display_name": name});
    let seen = neighbour.admin.post(USERS, &draft("seen")).await.expect(201);
    let (_, link) = text(&seen["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(set_up(&world, link, PASSWORD).await.status, 204);

    let mailbox = Mailbox::of(&world);
    // With mail the link is in no answer.
    let mailed = neighbour.admin.post(USERS, &draft("mailed")).await.expect(201);
    assert_eq!(
        mailed.as_object().map(|made| made.keys().collect::<Vec<_>>()),
        Some(vec![&"user".to_owned()])
    );
    let message = mailbox.newest(&world, "mailed@new.example").await;
    assert_eq!(message.subject.as_str(), "Your Govern account at Neighbour");
    assert_eq!(set_up(&world, &token(&message), PASSWORD).await.status, 204);

    let by_id = |made: &Value| json!({"user_id": made["user"]["id"]});
    assert_snapshot!(world.key.post(INVITE, &by_id(&seen)).await, @"404 NOT_FOUND");
    world.key.post(INVITE, &by_id(&mailed)).await.expect(201);
    // The operator proves the other one.
    let email = "seen@new.example";
    let verified = operator::verify_user(&world.governance, neighbour.tenant, email).await;
    assert_eq!(json!(verified.expect("an account of the tenant").user_id), seen["user"]["id"]);
    world.key.post(INVITE, &by_id(&seen)).await.expect(201);
}

#[tokio::test]
async fn no_answer_says_whether_an_address_has_an_account_elsewhere() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    account_of_an_admin(&world, &neighbour).await;
    let admin = world.admin().await;
    // Proven elsewhere, confined elsewhere, and nowhere.
    let addresses = ["admin@neighbour.example", VICTIM, "nobody@nowhere.example"];
    let alike = async |call: &dyn Fn(&str) -> Call| {
        let mut answers = Vec::new();
        for address in addresses {
            let answer = call(address).await;
            let mut body = if answer.text.is_empty() { Value::Null } else { answer.anonymous() };
            for id in ["/user_id", "/user/id", "/setup_url"] {
                if let Some(id) = body.pointer_mut(id) {
                    *id = json!("…");
                }
            }
            let body = body.to_string().replace(address, "ADDRESS");
            answers.push((answer.status, body));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
        answers.remove(0)
    };
    let invitation =
        |address: &str| admin.post(INVITE, &json!({"email": address, "role": "author"}));
    let reset = |address: &str| world.public.post("/v1/session/reset", &json!({"email": address}));
    assert_eq!(alike(&invitation).await.0, 404);
    assert_eq!(alike(&reset).await, (202, "null".to_owned()));
    let mailbox = Mailbox::of(&world);
    assert_eq!(alike(&invitation).await.0, 201);
    assert_eq!(alike(&invitation).await.0, 409);
    assert_eq!(alike(&reset).await, (202, "null".to_owned()));
    // The mail of an invitation is the same for each of them, too.
    let mut texts = Vec::new();
    for address in addresses {
        let messages = mailbox.messages(&world, address).await;
        let invitation = messages.iter().find(|one| one.subject.as_str().starts_with("Invitation"));
        let body = &invitation.expect("an invitation").body;
        let link = token(invitation.expect("an invitation"));
        texts.push(body.replace(&link, "TOKEN"));
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
}

#[tokio::test]
async fn an_account_can_be_made_for_every_address_that_the_tenant_does_not_know() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    account_of_an_admin(&world, &neighbour).await;
    let admin = world.admin().await;
    let addresses = ["admin@neighbour.example", VICTIM, "nobody@nowhere.example"];
    for has_mail in [false, true] {
        let mut answers = Vec::new();
        for address in addresses {
            let draft = json!({"email": address, "display_name": "Vera"});
            let mut made = admin.post(USERS, &draft).await.expect(201);
            made["user"]["id"] = json!("…");
            if let Some(link) = made.get_mut("setup_url") {
                *link = json!("…");
            }
            answers.push(made.to_string().replace(address, "ADDRESS"));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
        assert_eq!(answers[0].contains("setup_url"), !has_mail);
        Mailbox::of(&world);
    }
}

#[tokio::test]
async fn the_operator_adds_a_proven_account_without_an_invitation() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    account_of_an_admin(&world, &neighbour).await;
    let add = async |email: &str, role| {
        let added = operator::add_user(&world.governance, world.tenant, email, role).await;
        added.map_err(|error| error.to_string())
    };
    let refused = add(VICTIM, Role::Author).await.expect_err("confined elsewhere");
    assert!(refused.contains("no proven account has this e-mail address"), "{refused}");
    let email = "admin@neighbour.example";
    let added = add(email, Role::Author).await.expect("a proven account");
    assert_eq!((&*added.email, added.role), (email, Role::Author));
    let guest = neighbour.admin.without("x-service-tenant-id");
    let guest = guest.with("x-service-tenant-id", world.tenant);
    assert_eq!(reads(&guest).await, 200);
    let again = add(email, Role::Viewer).await.expect_err("a member already");
    assert!(again.contains("member already"), "{again}");
    // A person who was invited by address is added in place of the invitation.
    let _mailbox = Mailbox::of(&world);
    let place = format!("/v1/admin/members/{}", text(&id(&guest).await));
    assert_eq!(world.admin().await.delete(place).await.status, 204);
    invite(&world.admin().await, email, "viewer").await.expect(201);
    add(email, Role::Auditor).await.expect("a proven account");
    let listed = world.key.get("/v1/admin/members").await.expect(200);
    let listed = &listed["items"][0];
    assert_eq!((&listed["role"], &listed["status"]), (&json!("auditor"), &json!("active")));
    assert_eq!(listed["user_id"], id(&guest).await);
}

#[tokio::test]
async fn the_operator_proves_no_second_account_of_an_address_and_none_without_a_password() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let admin = world.admin().await;
    let verify = async |email: &str| {
        let verified = operator::verify_user(&world.governance, world.tenant, email).await;
        verified.map_err(|error| error.to_string())
    };
    assert!(verify("nobody@acme.example").await.is_err());
    let email = "admin@neighbour.example";
    let made = admin.post(USERS, &json!({"email": email, "display_name": "A"})).await.expect(201);
    let refused = verify(email).await.expect_err("no password yet");
    assert!(refused.contains("no password yet"), "{refused}");
    let (_, link) = text(&made["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(set_up(&world, link, CHOSEN).await.status, 204);
    let refused = verify(email).await.expect_err("the address has a proven account");
    assert!(refused.contains("`govern user add`"), "{refused}");
    // The account works on in its tenant, and the other one in its own.
    admin.post(INVITE, &json!({"email": email})).await.expect(201);
    assert_eq!(reads(&sign_in(&world, email, CHOSEN).await).await, 200);
    assert_eq!(reads(&neighbour.admin).await, 200);
}

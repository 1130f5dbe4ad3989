//! Profiles: the file, and the choice of the service, the tenant and the key.

use std::{fs, os::unix::fs::PermissionsExt as _};

use cli::profile::{ConnectionArgs, Profile, Profiles};
use insta::assert_snapshot;

use crate::Directory;

const TENANT: &str = "00000000-0000-4000-8000-000000000001";
const OTHER_TENANT: &str = "00000000-0000-4000-8000-000000000002";

fn profiles() -> Profiles {
    let profile = Profile {
        url: "https://govern.example".to_owned(),
        tenant_id: TENANT.parse().expect("an ID"),
        api_key: "svc_secret".to_owned(),
        key_created_on: None,
    };
    Profiles { profiles: [("default".to_owned(), profile)].into() }
}

#[test]
fn the_file_is_readable_only_by_its_owner() {
    let directory = Directory::new();
    let path = directory.path().join("govern/profiles.toml");
    assert_eq!(Profiles::load(&path).expect("no file"), Profiles::default());
    profiles().save(&path).expect("the file can be written");
    assert_eq!(Profiles::load(&path).expect("a file"), profiles());
    let mode = |path: &std::path::Path| fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode(&path) & 0o777, 0o600);
    assert_eq!(mode(path.parent().expect("a directory")) & 0o777, 0o700);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("the mode can be set");
    profiles().save(&path).expect("the file can be replaced");
    assert_eq!(mode(&path) & 0o777, 0o600);
    for open_to_others in [0o644, 0o640, 0o602] {
        fs::set_permissions(&path, fs::Permissions::from_mode(open_to_others)).expect("a mode");
        let error = Profiles::load(&path).expect_err("other users can read the key").to_string();
        let expected = format!(
            "{0} is accessible to users other than its owner (mode {open_to_others:04o}); run `chmod 600 {0}`",
            path.display()
        );
        assert_eq!(error, expected);
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the mode can be set");
    fs::write(&path, "profiles = 1").expect("the file can be written");
    let error = Profiles::load(&path).expect_err("the file is not valid").to_string();
    assert!(error.contains("profiles.toml`: "), "{error}");
}

/// Returns the URL, the tenant and the key of a connection.
fn resolve(args: &ConnectionArgs, key: Option<&str>) -> Result<String, String> {
    let connection = args.resolve(&profiles(), key.map(str::to_owned));
    let connection = connection.map_err(|error| error.to_string())?;
    let tenant = connection.tenant_id.map(|id| id.to_string()).unwrap_or_default();
    Ok(format!("{} {tenant} {}", connection.url, connection.api_key.unwrap_or_default()))
}

#[test]
fn arguments_replace_values_of_the_profile() {
    let default = ConnectionArgs::default();
    let profile = format!("https://govern.example/ {TENANT} svc_secret");
    assert_eq!(resolve(&default, None), Ok(profile));
    let tenant = ConnectionArgs { tenant_id: OTHER_TENANT.parse().ok(), ..default };
    let other = format!("https://govern.example/ {OTHER_TENANT} svc_other");
    assert_eq!(resolve(&tenant, Some("svc_other")), Ok(other));
}

#[test]
fn the_key_of_a_profile_is_not_sent_to_another_service() {
    let url = |url: &str| ConnectionArgs { url: Some(url.to_owned()), ..ConnectionArgs::default() };
    let same = format!("https://govern.example/ {TENANT} svc_secret");
    assert_eq!(resolve(&url("https://govern.example"), None), Ok(same));
    for other in ["https://other.example/", "http://govern.example/", "https://govern.example:444/"]
    {
        assert_eq!(resolve(&url(other), None), Ok(format!("{other}  ")));
    }
}

#[test]
fn errors_name_the_next_step() {
    let profile = Some("test".to_owned());
    let unknown = ConnectionArgs { profile, ..ConnectionArgs::default() };
    assert_snapshot!(resolve(&unknown, None).expect_err("unknown"), @"there is no profile `test`; run `govern login --url URL --profile test`");
    let none = ConnectionArgs::default().resolve(&Profiles::default(), None).expect_err("none");
    assert_snapshot!(none, @"no service: run `govern login --url URL`, or set GOVERN_URL, GOVERN_TENANT_ID and GOVERN_API_KEY");
    let url =
        ConnectionArgs { url: Some("govern.example".to_owned()), ..ConnectionArgs::default() };
    assert_snapshot!(resolve(&url, None).expect_err("no URL"), @"`govern.example` is not an http or https URL");
    let url = |url: &str| ConnectionArgs { url: Some(url.to_owned()), ..ConnectionArgs::default() };
    let error = |text: &str| resolve(&url(text), None).expect_err("not a service");
    for text in
        ["https://ann:secret@govern.example", "ftp://ann:secret@govern.example", "ann:secret@[::1"]
    {
        assert_eq!(
            error(text),
            "the URL of the service must not contain a user name or a password"
        );
    }
    assert_snapshot!(error("https://govern.example/?a=1"), @"`https://govern.example/?a=1` must be the URL of the service, without `?` and `#`");
}

//! The table of spellings in `docs/ADDRESSES.md`, and the resolution of names.

use std::{collections::HashMap, net::IpAddr};

use super::*;

#[derive(Debug, Default)]
struct StaticResolver(HashMap<&'static str, Vec<IpAddr>>);

#[async_trait::async_trait]
impl Resolver for StaticResolver {
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, AddressError> {
        self.0.get(host).cloned().ok_or(AddressError::LookupFailed)
    }
}

fn resolver(names: &[(&'static str, &[&str])]) -> StaticResolver {
    let addresses = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    StaticResolver(names.iter().map(|(name, texts)| (*name, addresses(texts))).collect())
}

fn allow_list_policy(list: &str, allows_http: bool) -> AddressPolicy {
    AddressPolicy::Public { allow_list: list.parse().unwrap(), allows_http }
}

/// Returns the name of a result in the table of `docs/ADDRESSES.md`.
fn table_name<T>(result: &Result<T, AddressError>) -> &'static str {
    match result {
        Ok(_) => "allowed",
        Err(AddressError::Blocked) => "blocked",
        Err(_) => "refused",
    }
}

#[test]
fn every_spelling_in_the_table_has_the_documented_result() {
    let page = include_str!("../../../../docs/ADDRESSES.md");
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let url = cells.next()?.strip_suffix('`')?;
        Some((url, cells.last()?.trim_end_matches(" |")))
    });
    let names = ["allowed", "blocked", "refused"];
    let rows: Vec<_> = rows.filter(|(_, name)| names.contains(name)).collect();
    assert!(rows.len() > 130, "the table is there: {}", rows.len());
    let mismatches = rows.into_iter().filter_map(|(url, expected)| {
        // Characters that cannot appear in a table are written as escapes.
        let url = url.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0");
        let actual = table_name(&AddressPolicy::default().parse_url(&url));
        (actual != expected).then(|| format!("{url}: {actual}, and not {expected}"))
    });
    assert_eq!(mismatches.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn url_length_is_limited() {
    let read_url = |chars: usize| {
        let start = "https://example.com/";
        AddressPolicy::default().parse_url(&format!("{start}{}", "é".repeat(chars - start.len())))
    };
    assert!(read_url(URL_CHARS_MAX).is_ok());
    assert_eq!(read_url(URL_CHARS_MAX + 1), Err(AddressError::TooLong));
}

#[test]
fn only_listed_addresses_are_allowed_without_tls() {
    let policy = allow_list_policy("127.0.0.0/8, 10.1.0.0/16,fd00::1", true);
    for url in
        ["http://127.0.0.1:9000/", "https://10.1.255.255/", "http://[fd00::1]/", "https://1.1.1.1/"]
    {
        assert!(policy.parse_url(url).is_ok(), "{url}");
    }
    for url in
        ["http://1.1.1.1/", "https://10.2.0.1/", "http://[fd00::2]/", "https://[::ffff:127.0.0.1]/"]
    {
        assert_eq!(policy.parse_url(url), Err(AddressError::Blocked), "{url}");
    }
    assert_eq!(
        allow_list_policy("10.0.0.0/8", false).parse_url("http://10.0.0.1/"),
        Err(AddressError::NotHttps)
    );
    assert_eq!(
        allow_list_policy("", true).parse_url("http://example.com/"),
        Err(AddressError::NotHttps)
    );
    for list in ["10.0.0.1/8", "10.0.0.0/33", "::/129", "localhost", "10.0.0.0/", "0x7f.1"] {
        assert!(list.parse::<AllowList>().is_err(), "{list}");
    }
    assert!("0.0.0.0/0,::/0".parse::<AllowList>().unwrap().contains("10.0.0.1".parse().unwrap()));
}

#[test]
fn operator_urls_may_be_private_but_not_link_local() {
    for url in [
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://[fd12::1]/",
        "http://1.1.1.1/",
    ] {
        assert!(AddressPolicy::Operator.parse_url(url).is_ok(), "{url}");
    }
    for url in [
        "http://169.254.169.254/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://[::ffff:a00:1]/",
    ] {
        assert_eq!(AddressPolicy::Operator.parse_url(url), Err(AddressError::Blocked), "{url}");
    }
}

#[tokio::test]
async fn host_is_allowed_only_if_all_its_addresses_are() {
    let names = resolver(&[
        ("public.example", &["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]),
        ("private.example", &["10.1.2.3"]),
        ("mixed.example", &["93.184.215.14", "127.0.0.1"]),
        ("mapped.example", &["::ffff:169.254.169.254"]),
        ("empty.example", &[]),
        ("hooks.internal", &["10.1.2.3"]),
    ]);
    let policy = OutboundPolicy::new(AddressPolicy::default(), names);
    let check = async |url: &str| policy.check(url).await.map(drop);
    assert_eq!(check("https://public.example/").await, Ok(()));
    for host in ["private.example", "mixed.example", "mapped.example", "hooks.internal"] {
        assert_eq!(check(&format!("https://{host}/")).await, Err(AddressError::Blocked), "{host}");
    }
    assert_eq!(check("https://empty.example/").await, Err(AddressError::Unresolved));
    // The resolver does not answer: the address is checked at each call. A name that is never public is
    // refused.
    assert_eq!(check("https://unheard.example/").await, Ok(()));
    for host in ["x.invalid", "printer.local.", "METADATA.google.internal", "a.home.arpa"] {
        assert_eq!(
            check(&format!("https://{host}/")).await,
            Err(AddressError::LookupFailed),
            "{host}"
        );
    }
    for host in ["localhost", "LOCALHOST.", "a.localhost"] {
        assert_eq!(check(&format!("https://{host}/")).await, Err(AddressError::Blocked), "{host}");
    }
}

#[tokio::test]
async fn localhost_resolves_to_its_listed_addresses() {
    let policy =
        OutboundPolicy::new(allow_list_policy("127.0.0.1", true), StaticResolver::default());
    assert!(policy.check("http://localhost:9000/").await.is_ok());
    let addresses = policy.addresses("localhost", true).await.unwrap();
    assert_eq!(addresses, ["127.0.0.1".parse::<IpAddr>().unwrap()]);
}

//! The table of spellings, and what is made of names.

use std::{collections::HashMap, net::IpAddr};

use super::*;

/// Names and their addresses, written out.
#[derive(Debug, Default)]
struct Written(HashMap<&'static str, Vec<IpAddr>>);

#[async_trait::async_trait]
impl Names for Written {
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Fault> {
        self.0.get(host).cloned().ok_or(Fault::Unanswered)
    }
}

fn written(names: &[(&'static str, &[&str])]) -> Written {
    let addresses = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    Written(names.iter().map(|(name, texts)| (*name, addresses(texts))).collect())
}

fn listing(list: &str, has_http: bool) -> Rule {
    Rule::Public { listed: list.parse().unwrap(), has_http }
}

/// What the table of `docs/ADDRESSES.md` calls an outcome.
fn outcome<T>(read: &Result<T, Fault>) -> &'static str {
    match read {
        Ok(_) => "allowed",
        Err(Fault::Blocked) => "blocked",
        Err(_) => "refused",
    }
}

#[test]
fn every_spelling_of_the_table_is_judged_as_it_says() {
    let page = include_str!("../../../docs/ADDRESSES.md");
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let url = cells.next()?.strip_suffix('`')?;
        Some((url, cells.last()?.trim_end_matches(" |")))
    });
    let outcomes = ["allowed", "blocked", "refused"];
    let rows: Vec<_> = rows.filter(|(_, outcome)| outcomes.contains(outcome)).collect();
    assert!(rows.len() > 130, "the table is there: {}", rows.len());
    let judged = rows.into_iter().filter_map(|(url, expected)| {
        // What cannot stand in a table is written out.
        let url = url.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0");
        let judged = outcome(&Rule::default().read(&url));
        (judged != expected).then(|| format!("{url}: {judged}, and not {expected}"))
    });
    assert_eq!(judged.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn an_address_has_a_longest_length() {
    let of = |chars: usize| {
        let start = "https://example.com/";
        Rule::default().read(&format!("{start}{}", "é".repeat(chars - start.len())))
    };
    assert!(of(URL_CHARS_MAX).is_ok());
    assert_eq!(of(URL_CHARS_MAX + 1), Err(Fault::TooLong));
}

#[test]
fn what_an_operator_lists_is_allowed_and_without_tls_nothing_else() {
    let rule = listing("127.0.0.0/8, 10.1.0.0/16,fd00::1", true);
    for url in
        ["http://127.0.0.1:9000/", "https://10.1.255.255/", "http://[fd00::1]/", "https://1.1.1.1/"]
    {
        assert!(rule.read(url).is_ok(), "{url}");
    }
    for url in
        ["http://1.1.1.1/", "https://10.2.0.1/", "http://[fd00::2]/", "https://[::ffff:127.0.0.1]/"]
    {
        assert_eq!(rule.read(url), Err(Fault::Blocked), "{url}");
    }
    assert_eq!(listing("10.0.0.0/8", false).read("http://10.0.0.1/"), Err(Fault::NotHttps));
    assert_eq!(listing("", true).read("http://example.com/"), Err(Fault::NotHttps));
    for list in ["10.0.0.1/8", "10.0.0.0/33", "::/129", "localhost", "10.0.0.0/", "0x7f.1"] {
        assert!(list.parse::<AllowList>().is_err(), "{list}");
    }
    assert!("0.0.0.0/0,::/0".parse::<AllowList>().unwrap().holds("10.0.0.1".parse().unwrap()));
}

#[test]
fn whom_the_operator_names_may_be_in_a_private_network_but_never_where_clouds_keep_secrets() {
    for url in [
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://[fd12::1]/",
        "http://1.1.1.1/",
    ] {
        assert!(Rule::Operator.read(url).is_ok(), "{url}");
    }
    for url in [
        "http://169.254.169.254/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://[::ffff:a00:1]/",
    ] {
        assert_eq!(Rule::Operator.read(url), Err(Fault::Blocked), "{url}");
    }
}

#[tokio::test]
async fn a_name_is_judged_by_all_addresses_that_it_has() {
    let names = written(&[
        ("public.example", &["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]),
        ("private.example", &["10.1.2.3"]),
        ("mixed.example", &["93.184.215.14", "127.0.0.1"]),
        ("mapped.example", &["::ffff:169.254.169.254"]),
        ("empty.example", &[]),
        ("hooks.internal", &["10.1.2.3"]),
    ]);
    let open = Destinations::new(Rule::default(), names);
    let check = async |url: &str| open.check(url).await.map(drop);
    assert_eq!(check("https://public.example/").await, Ok(()));
    for host in ["private.example", "mixed.example", "mapped.example", "hooks.internal"] {
        assert_eq!(check(&format!("https://{host}/")).await, Err(Fault::Blocked), "{host}");
    }
    assert_eq!(check("https://empty.example/").await, Err(Fault::Unresolved));
    // Nobody is there to ask: judged with each call. What is never public need not wait for that.
    assert_eq!(check("https://unheard.example/").await, Ok(()));
    for host in ["x.invalid", "printer.local.", "METADATA.google.internal", "a.home.arpa"] {
        assert_eq!(check(&format!("https://{host}/")).await, Err(Fault::Unanswered), "{host}");
    }
    for host in ["localhost", "LOCALHOST.", "a.localhost"] {
        assert_eq!(check(&format!("https://{host}/")).await, Err(Fault::Blocked), "{host}");
    }
}

#[tokio::test]
async fn this_machine_by_name_is_whichever_of_its_addresses_is_listed() {
    let destinations = Destinations::new(listing("127.0.0.1", true), Written::default());
    assert!(destinations.check("http://localhost:9000/").await.is_ok());
    let addresses = destinations.addresses("localhost", true).await.unwrap();
    assert_eq!(addresses, ["127.0.0.1".parse::<IpAddr>().unwrap()]);
}

//! Retired words: names, comments and documentation no longer use them. Their counts only decrease.
//!
//! `server/tests/retired-words.txt` lists the number of occurrences of each word. `docs/GLOSSARY.md`
//! lists the words that replace them. `GOVERN_WRITE_RETIRED_WORDS=1` stores lower numbers.

use std::{collections::BTreeMap, fs, process::Command};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const LIST: &str = "server/tests/retired-words.txt";
const ENDINGS: [&str; 8] = [".rs", ".md", ".sql", ".ts", ".css", ".toml", ".py", "Makefile"];

#[test]
fn counts_of_retired_words_match_the_list() {
    let path = format!("{ROOT}/{LIST}");
    let list = fs::read_to_string(&path).expect("the list of retired words");
    let limits: BTreeMap<&str, usize> = list
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(word, limit)| (word, limit.parse().expect("a number")))
        .collect();
    let mut counts: BTreeMap<&str, usize> = limits.keys().map(|word| (*word, 0)).collect();
    for file in tracked_files() {
        let text = fs::read_to_string(format!("{ROOT}/{file}")).unwrap_or_default();
        for word in words(&text) {
            if let Some(count) = counts.get_mut(word.as_str()) {
                *count += 1;
            }
        }
    }
    let exceeded: Vec<String> = counts
        .iter()
        .filter(|(word, count)| **count > limits[*word])
        .map(|(word, count)| format!("`{word}`: {count}, the limit is {}", limits[word]))
        .collect();
    assert!(exceeded.is_empty(), "retired words occur more often:\n{}", exceeded.join("\n"));
    if std::env::var_os("GOVERN_WRITE_RETIRED_WORDS").is_some() {
        let lines = counts.iter().map(|(word, count)| format!("{word} {count}\n"));
        fs::write(&path, lines.collect::<String>()).expect("the list can be written");
    } else {
        assert_eq!(
            counts, limits,
            "fewer retired words: store it with GOVERN_WRITE_RETIRED_WORDS=1"
        );
    }
}

#[test]
fn text_is_split_into_words() {
    let result: Vec<String> =
        words("fn is_sent(HTTPClient: DeliveryWorker2) // User's \"row\"").collect();
    let expected = ["fn", "is", "sent", "httpclient", "delivery", "worker", "user", "s", "row"];
    assert_eq!(result, expected);
}

fn tracked_files() -> Vec<String> {
    let output =
        Command::new("git").args(["ls-files"]).current_dir(ROOT).output().expect("git runs");
    let names = String::from_utf8(output.stdout).expect("names are UTF-8");
    let is_prose = |name: &&str| {
        ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.contains("/vectors/")
    };
    names.lines().filter(is_prose).map(str::to_owned).collect()
}

/// Splits text into lower-case words, at all characters but letters and between `a` and `B`.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    for letter in text.chars().chain([' ']) {
        let is_boundary = letter.is_uppercase() && previous.is_lowercase();
        if (is_boundary || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        previous = letter;
    }
    words.into_iter()
}

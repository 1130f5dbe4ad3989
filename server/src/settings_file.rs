//! The file of settings of an installed service (`govern --env-file`), in the syntax of systemd's `EnvironmentFile`. No
//! shell evaluates it, so characters such as `&` and `$` need no quotes.

use std::{
    convert::Infallible,
    ffi::{OsStr, OsString},
    os::unix::process::CommandExt as _,
    path::Path,
    process::Command,
    str::Chars,
};

use anyhow::{Context as _, Result};

use crate::command::variables;

const OPTION: &str = "--env-file";

/// Starts this program again with the settings of the file, if its first option is `--env-file`. The settings of the
/// environment are left out, so each caller has exactly those of the file.
///
/// Returns the error if the file cannot be used, and `None` without that option. It does not return otherwise.
pub fn restart_with_settings() -> Option<anyhow::Error> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    let file = match first.to_str()?.strip_prefix(OPTION)? {
        "" => arguments.next(),
        value => Some(OsString::from(value.strip_prefix('=')?)),
    };
    restart(file.as_deref(), arguments).err()
}

fn restart(file: Option<&OsStr>, arguments: impl Iterator<Item = OsString>) -> Result<Infallible> {
    let file = Path::new(file.context("--env-file: the name of the file is missing")?);
    let name = file.display();
    let read = private_file::read(file).context(OPTION)?;
    let read = read.with_context(|| format!("{OPTION}: {name} does not exist"))?;
    let settings = parse(&read.text).with_context(|| format!("{OPTION}: {name}"))?;
    let mut command = Command::new(std::env::current_exe().context("the program is not found")?);
    for variable in variables() {
        command.env_remove(variable);
    }
    Err(command.args(arguments).envs(settings).exec())
        .context("the program cannot be started again")
}

/// Parses settings: lines `NAME=VALUE`, and comments that begin with `#` or `;`. A value may have parts in `'` or `"`, and
/// continues after a backslash at the end of its line.
///
/// # Errors
/// Returns an error that names the line. It does not contain the value, which may be a secret.
fn parse(text: &str) -> Result<Vec<(String, String)>> {
    let mut settings = Vec::new();
    let mut reader = Reader { rest: text.chars(), line: 1 };
    loop {
        let line = reader.line;
        let Some(first) = reader.next() else { return Ok(settings) };
        if matches!(first, '#' | ';') {
            while reader.next().is_some_and(|character| character != '\n') {}
        } else if !first.is_whitespace() {
            let name =
                reader.name(first).with_context(|| format!("line {line} is not NAME=VALUE"))?;
            let value = reader.value();
            let value =
                value.with_context(|| format!("line {line}: {name}: the quote does not end"))?;
            settings.push((name, value));
        }
    }
}

/// The characters of a file that were not read yet.
struct Reader<'a> {
    rest: Chars<'a>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Reads the rest of a name and the `=` after it.
    fn name(&mut self, first: char) -> Option<String> {
        let mut name = String::new();
        let mut next = first;
        while next != '=' {
            name.push(next);
            next = self.next().filter(|character| *character != '\n')?;
        }
        let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let name = name.trim_end();
        let is_name = name.bytes().all(is_valid) && !first.is_ascii_digit() && !name.is_empty();
        is_name.then(|| name.to_owned())
    }

    /// Reads a value with its line end. Returns `None` if a quote does not end.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        loop {
            match self.next() {
                None | Some('\n') => return Some(value),
                Some(quote @ ('\'' | '"')) => self.quoted(quote, &mut value)?,
                Some(character) if character.is_whitespace() => {}
                Some(character) => {
                    self.unquoted(character, &mut value);
                    return Some(value);
                }
            }
        }
    }

    fn quoted(&mut self, quote: char, value: &mut String) -> Option<()> {
        loop {
            match self.next()? {
                character if character == quote => return Some(()),
                '\\' if quote == '"' => match self.next()? {
                    '\n' => {}
                    character @ ('"' | '\\' | '`' | '$') => value.push(character),
                    character => value.extend(['\\', character]),
                },
                character => value.push(character),
            }
        }
    }

    /// Reads the rest of a line. Spaces at its end are not a part of the value.
    fn unquoted(&mut self, first: char, value: &mut String) {
        let mut length = value.len();
        let mut next = Some(first);
        while let Some(character) = next.filter(|character| *character != '\n') {
            if character == '\\' {
                value.extend(self.next().filter(|escaped| *escaped != '\n'));
                length = value.len();
            } else {
                value.push(character);
                if !character.is_whitespace() {
                    length = value.len();
                }
            }
            next = self.next();
        }
        value.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_systemd_reads_them() {
        let text = concat!(
            "# a comment\n; another\n\n",
            "DATABASE_URL=postgres://app:a&b$c`d;e@db.example/govern?sslmode=require&application_name=g\n",
            "GOVERN_MAIL_FROM=\"Govern <govern@govern.example>\"\r\n",
            "  SPACES = a b  \n",
            "EMPTY=\n",
            "SINGLE='a \\ \"b\" $c'\n",
            "DOUBLE=\"a \\\" \\\\ \\$c \\n\"\n",
            "QUOTE_INSIDE=it's #1\n",
            "JOINED='a'\"b\" c\n",
            "CONTINUED=a\\\nb\\ \n",
            "LAST=x",
        );
        let expected = [
            (
                "DATABASE_URL",
                "postgres://app:a&b$c`d;e@db.example/govern?sslmode=require&application_name=g",
            ),
            ("GOVERN_MAIL_FROM", "Govern <govern@govern.example>"),
            ("SPACES", "a b"),
            ("EMPTY", ""),
            ("SINGLE", "a \\ \"b\" $c"),
            ("DOUBLE", "a \" \\ $c \\n"),
            ("QUOTE_INSIDE", "it's #1"),
            ("JOINED", "abc"),
            ("CONTINUED", "ab "),
            ("LAST", "x"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn error_names_the_line_without_its_value() {
        for (text, expected) in [
            ("A=1\nexport B=secret\n", "line 2 is not NAME=VALUE"),
            ("A=1\n\nsecret\n", "line 3 is not NAME=VALUE"),
            ("1A=secret", "line 1 is not NAME=VALUE"),
            ("=secret", "line 1 is not NAME=VALUE"),
            ("A='secret\nB=1\n", "line 1: A: the quote does not end"),
            ("A=1\nB=\"secret", "line 2: B: the quote does not end"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }
}

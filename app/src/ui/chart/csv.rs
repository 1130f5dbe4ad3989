//! The table of a chart as a file. It travels in its own link: exactly what the page shows, and no
//! second way to ask for it.

use std::fmt::Write as _;

use super::Cell;

/// The address of the file: RFC 4180, in UTF-8.
pub(super) fn address(head: &[&str], rows: &[Vec<Cell>]) -> String {
    let mut file = String::from("data:text/csv;charset=utf-8,");
    line(&mut file, head.iter().copied());
    for row in rows {
        line(&mut file, row.iter().map(Cell::plain));
    }
    file
}

/// The name of the file: "top-violated-rules.csv".
pub(super) fn name(title: &str) -> String {
    format!("{}.csv", title.to_lowercase().replace(' ', "-"))
}

fn line<'a>(file: &mut String, cells: impl Iterator<Item = &'a str>) {
    for (place, cell) in cells.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        encode(file, &format!("{comma}{}", quoted(cell)));
    }
    encode(file, "\r\n");
}

/// A cell that a spreadsheet takes for text, not for a formula.
fn quoted(cell: &str) -> String {
    let guard = if cell.starts_with(['=', '+', '-', '@', '\t']) { "'" } else { "" };
    if cell.contains(['"', ',', '\r', '\n']) {
        return format!("\"{guard}{}\"", cell.replace('"', "\"\""));
    }
    format!("{guard}{cell}")
}

/// Writes `text` as a part of an address.
fn encode(file: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~,".contains(&byte) {
            file.push(char::from(byte));
        } else {
            let _ = write!(file, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_what_programs_read() {
        let rows = [vec![Cell::from("LIMIT \"A\", B".to_owned()), Cell::from(1_234)]];
        let file = address(&["Rule", "Violated"], &rows);
        let expected = "data:text/csv;charset=utf-8,Rule,Violated%0D%0A%22LIMIT%20%22%22A%22%22,%20B%22,1234%0D%0A";
        assert_eq!(file, expected);
        assert_eq!(name("Top violated rules"), "top-violated-rules.csv");
    }

    #[test]
    fn a_cell_that_would_be_a_formula_becomes_text() {
        for cell in ["=1+1", "+1", "-1", "@sum", "\tx"] {
            assert_eq!(quoted(cell), format!("'{cell}"));
        }
        assert_eq!(quoted("=A,B"), "\"'=A,B\"");
        assert_eq!(quoted("1-1"), "1-1");
    }
}

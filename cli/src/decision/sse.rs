//! Reader of server-sent events.

/// An event. Events without data only have an ID.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) id: Option<String>,
    pub(super) data: Option<String>,
}

/// Splits the bytes of a stream into events.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    buffer: Vec<u8>,
    event: Event,
}

impl EventReader {
    /// Adds bytes and returns the events that are complete.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.buffer.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.buffer.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\r', '\n']);
            if line.is_empty() {
                events.push(std::mem::take(&mut self.event));
            } else if let Some((name, value)) = line.split_once(':') {
                let value = value.strip_prefix(' ').unwrap_or(value);
                match name {
                    "id" => self.event.id = Some(value.to_owned()),
                    "data" => match &mut self.event.data {
                        Some(data) => {
                            data.push('\n');
                            data.push_str(value);
                        }
                        None => self.event.data = Some(value.to_owned()),
                    },
                    _ => {}
                }
            }
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_in_any_pieces() {
        let stream = "retry: 3000\nid: a\n\nevent: decision\r\nid: b\ndata: {\"é\":\ndata: 1}\n\n: comment\nid: c\n\n";
        let event = |id: &str, data: Option<&str>| Event {
            id: Some(id.to_owned()),
            data: data.map(str::to_owned),
        };
        let expected = [event("a", None), event("b", Some("{\"é\":\n1}")), event("c", None)];
        for size in [1, 2, 7, 1_000] {
            let mut reader = EventReader::default();
            let chunks = stream.as_bytes().chunks(size);
            let events: Vec<Event> = chunks.flat_map(|chunk| reader.read(chunk)).collect();
            assert_eq!(events, expected, "{size}");
        }
    }
}

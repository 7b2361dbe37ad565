//! Progress bars that the comparator draws on standard error. They say how fast it was, so they differ from run to
//! run, and are removed like the durations in its answers.

use std::borrow::Cow;

/// The last characters of a state of a bar: its rate.
const RATES: [&[u8]; 2] = [b"it/s]", b"s/it]"];

/// The text without the states of progress bars; every other byte is unchanged. Each state comes after a carriage
/// return, and so do the spaces that wipe out the last one.
pub fn without(talk: &[u8]) -> Cow<'_, [u8]> {
    let mut pieces = talk.split(|byte| *byte == b'\r');
    let mut kept = pieces.next().unwrap_or_default().to_vec();
    for piece in pieces {
        let end = piece.iter().position(|byte| *byte == b'\n').unwrap_or(piece.len());
        let (line, rest) = piece.split_at(end);
        if !is_state(line) {
            kept.push(b'\r');
            kept.extend_from_slice(line);
        }
        kept.extend_from_slice(rest);
    }
    if kept.len() == talk.len() { Cow::Borrowed(talk) } else { Cow::Owned(kept) }
}

fn is_state(line: &[u8]) -> bool {
    let text = line.trim_ascii_end();
    let is_blank = text.is_empty() && !line.is_empty();
    is_blank || RATES.iter().any(|rate| text.ends_with(rate))
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn what_is_said_around_a_bar_is_kept() {
        let bar =
            "first\n\rScan:  0%| | 0/9 [00:00<?, ?it/s]\rScan: 44%|█| 4/9 [00:00<00:00, 3.94s/it]";
        for (end, kept) in [
            ("", "first\n"),
            ("\n", "first\n\n"),
            ("\r          \rlast\n", "first\n\rlast\n"),
            ("\nlast [it/s] said\n", "first\n\nlast [it/s] said\n"),
        ] {
            assert_eq!(without(format!("{bar}{end}").as_bytes()), kept.as_bytes(), "{end:?}");
        }
        for other in ["", "\r", "a\r\nb\r\n", "10it/s]", "\r10it/s] and more\n"] {
            assert_eq!(without(other.as_bytes()), other.as_bytes());
        }
    }
}

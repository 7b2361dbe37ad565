//! A session of our program, call by call: each call is sent, after its edits, when the answer to the
//! previous one has arrived.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
    path::Path,
    sync::Arc,
};

use record::{Call, Capture};

use super::{SequenceError, make_edits};
use crate::process::{self, Invocation};

/// Runs a session over all calls in the repository at `root`, which the edits change. The capture holds
/// all calls as its input.
pub fn converse(
    mut invocation: Invocation,
    root: &Path,
    calls: &[Call],
) -> Result<Capture, SequenceError> {
    let (reader, writer) = io::pipe().map_err(SequenceError::Pipe)?;
    invocation.held_file = Some(Arc::new(File::from(OwnedFd::from(reader))));
    invocation.stdin = calls.iter().map(Call::line).collect::<String>().into_bytes();
    let mut speaker = Speaker { root, calls, next: 0, writer: Some(writer), failed: None };
    speaker.speak();
    let capture = process::run_observed(&invocation, &mut |piece| {
        for _ in piece.iter().filter(|byte| **byte == b'\n') {
            speaker.speak();
        }
    })?;
    speaker.failed.map_or(Ok(capture), Err)
}

struct Speaker<'a> {
    root: &'a Path,
    calls: &'a [Call],
    next: usize,
    /// Our end of the session's input; closed after the last call.
    writer: Option<io::PipeWriter>,
    failed: Option<SequenceError>,
}

impl Speaker<'_> {
    /// Makes the edits of the next call and sends it. Closes the input if there is no further call, or
    /// after an error.
    fn speak(&mut self) {
        let (Some(call), Some(writer)) = (self.calls.get(self.next), &mut self.writer) else {
            self.writer = None;
            return;
        };
        let sent = make_edits(call, self.root, self.next)
            .and_then(|()| writer.write_all(call.line().as_bytes()).map_err(SequenceError::Pipe));
        self.next += 1;
        if let Err(error) = sent {
            self.writer = None;
            // Only the first error is kept, because later ones follow from it. A session that ended
            // early is not an error: it is judged by its answers.
            let ended = matches!(&error, SequenceError::Pipe(why) if why.kind() == io::ErrorKind::BrokenPipe);
            if !ended {
                self.failed.get_or_insert(error);
            }
        }
    }
}

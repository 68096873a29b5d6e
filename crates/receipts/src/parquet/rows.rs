//! The rows of a Parquet file, through the adapter that reads them and the look at JSON rows.
//!
//! The adapter writes on this thread, and the look reads on another; a few blocks go between them.

use crate::feed::Feed;
use crate::hasher::Hasher;
use crate::inspect::ReadSeek;
use crate::json::{self, Layout};
use crate::look::{Look, Looked, at_offset, fails, not_checked};
use deed_adapters::{AdapterError, ErrorKind, Limits, Settings};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

const ADAPTER: &str = "parquet_to_json_rows.v1";

/// Blocks between the two threads.
const BLOCKS: usize = 8;

/// Reads all rows.
pub(crate) fn look(input: &mut dyn ReadSeek, look: &mut Look<'_>) -> io::Result<Looked> {
    let Some(adapter) = deed_adapters::find(ADAPTER) else {
        return Ok(Looked::opaque(not_checked("this program is built without Parquet")));
    };
    let limits = Limits {
        input_bytes: u64::MAX,
        output_bytes: u64::MAX,
        rows: u64::MAX,
        held_bytes: 16 << 20,
        ..Limits::default()
    };
    let (send, receive) = sync_channel(BLOCKS);
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut source = Source { receive, block: Vec::new(), at: 0 };
            let looked = Feed::open(&mut source, Hasher::Deaf)
                .and_then(|mut feed| json::look(&mut feed, Layout::Document, look).map(|(looked, _)| looked));
            // The adapter must not wait for somebody who has stopped to read.
            io::copy(&mut source, &mut io::sink())?;
            looked
        })?;
        let mut sink = Sink(send);
        let mut input = input;
        let adapted = adapter.run(&mut [&mut input], &mut sink, &Settings { limits, ..Settings::default() });
        drop(sink);
        let looked = reader.join().map_err(|_| io::Error::other("the look at the rows stopped"))??;
        Ok(match adapted {
            Ok(_) => looked,
            Err(error) => Looked::opaque(refusal(&error)),
        })
    })
}

/// What the adapter's refusal means for the file: what it does not read need not be damaged.
fn refusal(error: &AdapterError) -> deed_model::ParseOutcome {
    match error.kind {
        ErrorKind::Syntax | ErrorKind::Encoding | ErrorKind::Header | ErrorKind::Read | ErrorKind::Inconsistent => {
            fails(at_offset(error.place.offset.unwrap_or(0)), error.message.clone())
        }
        _ => not_checked(format!("the rows are not read: {}", error.message)),
    }
}

struct Sink(SyncSender<Vec<u8>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Source {
    receive: Receiver<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
}

impl Read for Source {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.block.len() {
            // Nothing comes once the sender is gone.
            let Ok(block) = self.receive.recv() else { return Ok(0) };
            (self.block, self.at) = (block, 0);
        }
        let mut rest = self.block.get(self.at..).unwrap_or_default();
        let read = rest.read(room)?;
        self.at += read;
        Ok(read)
    }
}

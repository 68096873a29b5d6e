//! The forwarding to the proxy: a port of the loopback, whose bytes go to a socket file and back.
//!
//! One thread and `poll` serve all connections, so that a program that opens many takes no more than its own
//! share of processes. At most [`MOST`] are open at once; further ones are closed immediately.

use super::while_doing;
use deed_init::Forward;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;

/// The maximum number of open connections.
const MOST: usize = 128;

/// The number of bytes that may wait for one side of a connection.
const BUFFER: usize = 64 << 10;

/// A port that accepts connections.
pub(crate) struct Way {
    listener: TcpListener,
    socket: PathBuf,
}

impl Way {
    /// Listens; a client waits until it is served.
    pub(crate) fn open(way: &Forward) -> Result<Self, String> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, way.port)).map_err(while_doing("listen for the proxy"))?;
        listener.set_nonblocking(true).map_err(while_doing("listen for the proxy"))?;
        Ok(Self { listener, socket: way.socket.clone() })
    }

    /// Serves in a thread of its own.
    pub(crate) fn serve(self) -> Result<(), String> {
        let serve = move || serve(&self.listener, &self.socket);
        thread::Builder::new().stack_size(256 << 10).spawn(serve).map(drop).map_err(while_doing("serve the proxy"))
    }
}

fn serve(listener: &TcpListener, socket: &Path) {
    let mut open: Vec<Connection> = Vec::new();
    loop {
        match wait(listener, &open) {
            Ok(()) => {}
            Err(Errno::EINTR) => continue,
            Err(_) => return,
        }
        while let Ok((stream, _)) = listener.accept() {
            if open.len() < MOST {
                open.extend(Connection::new(stream, socket).ok());
            }
        }
        open.retain_mut(|connection| connection.step().is_ok_and(|going| going));
    }
}

fn wait(listener: &TcpListener, open: &[Connection]) -> Result<(), Errno> {
    let mut watched = vec![PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
    for connection in open {
        let (inner, outer) = connection.wanted();
        watched.push(PollFd::new(connection.inner.as_fd(), inner));
        watched.push(PollFd::new(connection.outer.as_fd(), outer));
    }
    // A closed side would be reported at every poll: it is left out until it is needed again.
    watched.retain(|one| !one.events().is_empty());
    poll(&mut watched, PollTimeout::NONE).map(drop)
}

/// One connection: the program on one side, the proxy on the other.
struct Connection {
    inner: TcpStream,
    outer: UnixStream,
    out: Pipe,
    back: Pipe,
}

impl Connection {
    fn new(inner: TcpStream, socket: &Path) -> io::Result<Self> {
        let outer = UnixStream::connect(socket)?;
        inner.set_nonblocking(true)?;
        outer.set_nonblocking(true)?;
        Ok(Self { inner, outer, out: Pipe::default(), back: Pipe::default() })
    }

    fn wanted(&self) -> (PollFlags, PollFlags) {
        let flags = |reads: &Pipe, writes: &Pipe| {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::POLLIN, reads.wants_more());
            flags.set(PollFlags::POLLOUT, writes.has_some());
            flags
        };
        (flags(&self.out, &self.back), flags(&self.back, &self.out))
    }

    /// Moves the available bytes; returns whether there may be more.
    fn step(&mut self) -> io::Result<bool> {
        if self.out.step(&mut &self.inner, &mut &self.outer)? {
            self.outer.shutdown(Shutdown::Write)?;
        }
        if self.back.step(&mut &self.outer, &mut &self.inner)? {
            self.inner.shutdown(Shutdown::Write)?;
        }
        Ok(!(self.out.closed && self.back.closed))
    }
}

/// One direction of a connection.
#[derive(Default)]
struct Pipe {
    waiting: Vec<u8>,
    ended: bool,
    closed: bool,
}

impl Pipe {
    fn wants_more(&self) -> bool {
        !self.ended && self.waiting.len() < BUFFER
    }

    fn has_some(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Reads and writes once; returns whether the far side must be shut down now.
    fn step(&mut self, from: &mut impl Read, to: &mut impl Write) -> io::Result<bool> {
        if self.wants_more() {
            let room = (BUFFER - self.waiting.len()) as u64;
            let before = self.waiting.len();
            match from.take(room).read_to_end(&mut self.waiting) {
                Ok(_) => self.ended = ((self.waiting.len() - before) as u64) < room,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        if self.has_some() {
            match to.write(&self.waiting) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        let close = self.ended && self.waiting.is_empty() && !self.closed;
        self.closed |= close;
        Ok(close)
    }
}

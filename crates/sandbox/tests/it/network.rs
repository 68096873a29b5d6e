//! Egress: only through the socket of the bridge and the proxy on the loopback.

use crate::common::{Stage, err, out, python};
use deed_sandbox::Ended;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::thread;

/// A proxy that answers every request with its first line, some thousand times.
fn answering(listener: UnixListener) {
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            thread::spawn(move || {
                let mut request = Vec::new();
                let mut room = [0; 4096];
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    let read = connection.read(&mut room).unwrap();
                    request.extend(&room[..read]);
                }
                let first = String::from_utf8_lossy(&request).lines().next().unwrap().to_owned();
                let body = format!("{first}\n").repeat(20_000);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(body.as_bytes())).unwrap();
            });
        }
    });
}

#[test]
fn the_proxy_is_reached_by_an_unmodified_library() {
    let stage = Stage::new();
    answering(UnixListener::bind(stage.path("proxy.sock")).unwrap());
    let code = "import urllib.request, concurrent.futures as c\n\
        def get(n): return urllib.request.urlopen(f'http://example.invalid/{n}').read()\n\
        with c.ThreadPoolExecutor(8) as pool: bodies = list(pool.map(get, range(20)))\n\
        print(len(bodies), all(b == b'GET http://example.invalid/%d HTTP/1.1\\n' % n * 20000 for n, b in enumerate(bodies)))";
    let mut job = stage.job(&python(), &["-c", code]);
    job.proxy = Some(stage.path("proxy.sock"));
    let outcome = stage.run(&job);
    assert_eq!((outcome.ended.clone(), out(&outcome).as_str()), (Ended::Exited(0), "20 True\n"), "{}", err(&outcome));
}

#[test]
fn without_a_proxy_nothing_is_reached() {
    let code =
        "import socket\ns = socket.socket()\ntry: s.connect(('127.0.0.1', 3128))\nexcept OSError as e: print(e.errno)";
    assert_eq!(out(&Stage::new().python(code)), "13\n");
}

#[test]
fn the_bridge_is_a_socket() {
    let stage = Stage::new();
    let listener = UnixListener::bind(stage.path("bridge.sock")).unwrap();
    let code = "import socket, os\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ['DEED_BRIDGE'])\ns.sendall(b'question')\nprint(s.recv(99).decode())";
    let mut job = stage.job(&python(), &["-c", code]);
    job.bridge = Some(stage.path("bridge.sock"));
    let other = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut question = [0; 8];
        connection.read_exact(&mut question).unwrap();
        connection.write_all(b"answer").unwrap();
        question
    });
    let outcome = stage.run(&job);
    assert_eq!((outcome.ended.clone(), out(&outcome).as_str()), (Ended::Exited(0), "answer\n"), "{}", err(&outcome));
    assert_eq!(&other.join().unwrap(), b"question");
}

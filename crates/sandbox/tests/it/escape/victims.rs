//! The victims of the attempts: processes, files, servers and open descriptors that must stay untouched.

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const ABSTRACT: &str = "deed-test-victim";

/// The victims.
pub(crate) struct Victims {
    folder: tempfile::TempDir,
    /// The working folder of the launcher, with files that interpreters would load from there.
    working: tempfile::TempDir,
    process: Child,
    reached: Arc<AtomicUsize>,
    left_open: Vec<File>,
    before: Vec<String>,
    pub(crate) bridge: PathBuf,
    pub(crate) proxy: PathBuf,
}

impl Victims {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let file = folder.path().join("victim.txt");
        fs::write(&file, secret()).unwrap();
        let working = planted();
        let reached = Arc::new(AtomicUsize::new(0));
        for port in [80, 443, 3128] {
            count_tcp(TcpListener::bind(("0.0.0.0", port)).unwrap(), &reached);
        }
        count_udp(UdpSocket::bind(("0.0.0.0", 53)).unwrap(), &reached);
        let address = SocketAddr::from_abstract_name(ABSTRACT).unwrap();
        count_unix(UnixListener::bind_addr(&address).unwrap(), &reached);
        count_unix(UnixListener::bind(folder.path().join("victim.sock")).unwrap(), &reached);
        let (bridge, proxy) = (folder.path().join("bridge.sock"), folder.path().join("proxy.sock"));
        drop(UnixListener::bind(&bridge).unwrap());
        answer(UnixListener::bind(&proxy).unwrap());
        let process = Command::new("sleep").arg("300").env("VICTIM", secret()).stdin(Stdio::null()).spawn().unwrap();
        let left_open = (0..5).map(|_| inherited(File::open(&file).unwrap())).collect();
        Self { folder, working, process, reached, left_open, before: settings(), bridge, proxy }
    }

    /// The targets, as the attempts receive them.
    pub(crate) fn facts(&self) -> String {
        serde_json::json!({
            "victim_file": self.folder.path().join("victim.txt"),
            "working_folder": self.working.path(),
            "working_file": self.working.path().join("notes.txt"),
            "victim_pid": self.process.id(),
            "launcher_pid": std::process::id(),
            "socket_file": self.folder.path().join("victim.sock"),
            "abstract": ABSTRACT,
            "secret": secret(),
            "root": nix::unistd::geteuid().is_root(),
        })
        .to_string()
    }

    pub(crate) fn are_untouched(mut self) {
        assert_eq!(self.reached.load(Ordering::SeqCst), 0, "a victim was reached");
        assert!(self.process.try_wait().unwrap().is_none(), "the victim was ended");
        assert_eq!(fs::read_to_string(self.folder.path().join("victim.txt")).unwrap(), secret());
        assert_eq!(settings(), self.before, "a setting of the kernel was changed");
        assert!(!self.working.path().join("sprung").exists(), "a file of the working folder was run");
        assert_eq!(self.left_open.len(), 5);
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes a working folder with traps for interpreters and private files, and goes there.
fn planted() -> tempfile::TempDir {
    let working = tempfile::tempdir().unwrap();
    fs::set_permissions(working.path(), Permissions::from_mode(0o755)).unwrap();
    let trap = format!("open({:?}, 'w')\n", working.path().join("sprung"));
    for module in ["json", "os", "platform", "sysconfig", "site", "sitecustomize", "errno", "signal", "time"] {
        fs::write(working.path().join(format!("{module}.py")), &trap).unwrap();
    }
    fs::create_dir_all(working.path().join(".deed/keys")).unwrap();
    fs::write(working.path().join(".deed/keys/workspace.pem"), secret()).unwrap();
    fs::write(working.path().join("notes.txt"), secret()).unwrap();
    std::env::set_current_dir(working.path()).unwrap();
    working
}

fn secret() -> String {
    std::env::var("DEED_TEST_SECRET").unwrap()
}

/// A file that every program started from here would find open.
fn inherited(file: File) -> File {
    fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
    file
}

/// Settings of the kernel that attempts go for.
fn settings() -> Vec<String> {
    let files = ["kernel/core_pattern", "kernel/hostname", "net/ipv4/ip_forward", "user/max_user_namespaces"];
    files.iter().map(|name| fs::read_to_string(format!("/proc/sys/{name}")).unwrap()).collect()
}

fn count_tcp(listener: TcpListener, reached: &Arc<AtomicUsize>) {
    let reached = reached.clone();
    thread::spawn(move || {
        for _ in listener.incoming() {
            reached.fetch_add(1, Ordering::SeqCst);
        }
    });
}

fn count_unix(listener: UnixListener, reached: &Arc<AtomicUsize>) {
    let reached = reached.clone();
    thread::spawn(move || {
        for _ in listener.incoming() {
            reached.fetch_add(1, Ordering::SeqCst);
        }
    });
}

fn count_udp(socket: UdpSocket, reached: &Arc<AtomicUsize>) {
    let reached = reached.clone();
    thread::spawn(move || {
        while socket.recv(&mut [0; 10]).is_ok() {
            reached.fetch_add(1, Ordering::SeqCst);
        }
    });
}

/// The proxy, which says that it is the proxy.
fn answer(listener: UnixListener) {
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 100]);
            let _ = connection.write_all(b"proxy");
        }
    });
}

//! The first process inside: it starts the program, reaps orphans, and reports how the program ended.
//!
//! The standard input is the connection to the outside: a [`Guard`] comes in, [`Said`] goes out, and when the other
//! side closes it everything inside ends. The program never sees it. Without a process namespace of its own, the
//! guard ends only its own descendants.

use super::{Done, exec, forward, input, tree, while_doing};
use deed_init::{Ended, Exec, Guard, Said, Status, read_frame, write_frame};
use nix::errno::Errno;
use nix::sys::prctl::{set_child_subreaper, set_dumpable, set_pdeathsig};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread;

/// Runs this role.
pub(crate) fn guard() -> Done {
    set_dumpable(false).map_err(while_doing("hide the memory of this process"))?;
    let mut line = input().map_err(while_doing("open the line to the outside"))?;
    let told: Guard = read_frame(&mut line).map_err(while_doing("read what to guard"))?;
    tie(told.own_pids)?;
    let way = told.forward.as_ref().map(forward::Way::open).transpose()?;
    // Before any thread: the program starts as a copy of this process.
    let started = start(&told.exec);
    if let Some(way) = way {
        way.serve()?;
    }
    end_with_line(&line, told.own_pids)?;
    let status = guarded(started.and_then(Starting::begin), told.own_pids, &mut line);
    // If the line is closed by now, there is no receiver left.
    let _ = write_frame(&mut line, &Said::Ended(status));
    Ok(ExitCode::SUCCESS)
}

/// In a process namespace the end of the guard ends all, so it ends with its parent. Without one it must outlive
/// the parent until it has ended its descendants: the closed line triggers that.
fn tie(own_pids: bool) -> Result<(), String> {
    if own_pids {
        return set_pdeathsig(Signal::SIGKILL).map_err(while_doing("tie this process to its parent"));
    }
    set_child_subreaper(true).map_err(while_doing("adopt orphans"))?;
    set_pdeathsig(None).map_err(while_doing("untie this process from its parent"))
}

fn guarded(started: Result<Pid, String>, own_pids: bool, line: &mut UnixStream) -> Status {
    let mut status = Status { ended: Ended::Exited(0), left_behind: 0, cpu_ms: 0, max_rss: 0 };
    match started {
        Err(why) => status.ended = Ended::CouldNotStart(why),
        Ok(main) => {
            // A closed line shows at the next read.
            let _ = write_frame(line, &Said::Started);
            status.ended = wait_for(main);
            status.left_behind = end_the_rest(own_pids);
        }
    }
    if let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) {
        let milliseconds = |time: nix::sys::time::TimeVal| time.tv_sec() * 1000 + time.tv_usec() / 1000;
        let cpu = milliseconds(usage.user_time()) + milliseconds(usage.system_time());
        status.cpu_ms = u64::try_from(cpu).unwrap_or_default();
        status.max_rss = u64::try_from(usage.max_rss()).unwrap_or_default() * 1024;
    }
    status
}

/// A process that is about to become the program.
struct Starting {
    pid: Pid,
    /// It waits for a byte here; if this is closed without one, it ends.
    go: PipeWriter,
    /// Closes when it has become the program; a message before that is the reason it could not.
    word: PipeReader,
}

impl Starting {
    /// Releases it, and waits until it has become the program or has reported the reason it could not.
    fn begin(mut self) -> Result<Pid, String> {
        self.go.write_all(&[1]).map_err(while_doing("start the next part"))?;
        let mut why = String::new();
        self.word.read_to_string(&mut why).map_err(while_doing("hear from the next part"))?;
        if why.is_empty() { Ok(self.pid) } else { Err(why) }
    }
}

/// Starts a copy of this process that becomes the program once it is released: by then all threads of the guard run,
/// and nothing can fail that the program would have to be ended for. Executing this binary once more instead would
/// take longer than everything that the copy does.
#[allow(unsafe_code, reason = "a process can be copied in no other way")]
fn start(told: &Exec) -> Result<Starting, String> {
    let (word, mut told_back) = pipe().map_err(while_doing("make a pipe"))?;
    let (mut wait, go) = pipe().map_err(while_doing("make a pipe"))?;
    // SAFETY: this process has one thread, so that the copy has every lock and all memory in the state in which they
    // are here, and may continue as if it had been started anew.
    match unsafe { fork() }.map_err(while_doing("start the next part"))? {
        ForkResult::Parent { child } => Ok(Starting { pid: child, go, word }),
        ForkResult::Child => {
            drop(go);
            if wait.read_exact(&mut [0]).is_err() {
                std::process::exit(125);
            }
            let why = exec::executed(told);
            // If the guard has ended, there is no receiver left.
            let _ = told_back.write_all(why.as_bytes());
            std::process::exit(125)
        }
    }
}

/// Reaps until the program itself has ended.
fn wait_for(main: Pid) -> Ended {
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == main => return Ended::Exited(code),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == main => return Ended::Signalled(signal as i32),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Ended::CouldNotStart(format!("the program was lost: {error}")),
        }
    }
}

/// Ends every other process, and counts those that were still running.
fn end_the_rest(own_pids: bool) -> u64 {
    let mut ended = 0;
    loop {
        if own_pids {
            // There may be no process left.
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
        } else {
            tree::kill_descendants();
        }
        match waitpid(None, None) {
            Ok(WaitStatus::Signaled(_, Signal::SIGKILL, _)) => ended += 1,
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return ended,
        }
    }
}

/// Ends everything as soon as the other side of the line is closed.
fn end_with_line(line: &UnixStream, own_pids: bool) -> Result<(), String> {
    let mut line = line.try_clone().map_err(while_doing("watch the line"))?;
    let watch = move || {
        let mut byte = [0_u8; 1];
        while line.read(&mut byte).is_ok_and(|read| read > 0) {}
        if !own_pids {
            end_the_rest(false);
        }
        std::process::exit(0);
    };
    thread::Builder::new().stack_size(64 << 10).spawn(watch).map(drop).map_err(while_doing("watch the line"))
}

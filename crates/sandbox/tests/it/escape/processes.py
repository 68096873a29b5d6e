"""Ways to other processes, other users, and what was left open."""
import os, signal, subprocess
from reach import Stopped, attempt, call


@attempt
def kill_victim(facts):
    return os.kill(facts["victim_pid"], signal.SIGKILL)


@attempt
def kill_launcher(facts):
    return os.kill(facts["launcher_pid"], signal.SIGKILL)


@attempt
def kill_guard(facts):
    return os.kill(1, signal.SIGKILL)


@attempt
def stop_guard(facts):
    return os.kill(1, signal.SIGSTOP)


@attempt
def terminate_guard_thread(facts):
    return call(234, 1, 1, 15)


@attempt
def queue_signal_to_guard(facts):
    return call(424, os.pidfd_open(1), 9, 0, 0)


@attempt
def open_victim(facts):
    return os.pidfd_open(facts["victim_pid"])


@attempt
def limits_of_victim(facts):
    return call(302, facts["victim_pid"], 7, 0, 0)


@attempt
def limits_of_guard(facts):
    import ctypes
    return call(302, 1, 7, (ctypes.c_ulong * 2)(1, 1), 0)


@attempt
def priority_of_guard(facts):
    return os.setpriority(os.PRIO_PROCESS, 1, 19)


@attempt
def priority_of_all(facts):
    return os.setpriority(os.PRIO_USER, 0, 19)


@attempt
def affinity_of_guard(facts):
    return os.sched_setaffinity(1, {0})


@attempt
def affinity_of_victim(facts):
    return os.sched_setaffinity(facts["victim_pid"], {0})


@attempt
def see_processes(facts):
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    if max(seen) < 2000 and len(seen) <= 4:
        raise Stopped("only its own")
    return seen


@attempt
def see_parent(facts):
    """The parent of the first process is outside, and has no number here."""
    line = [line for line in open("/proc/1/status") if line.startswith("PPid")][0]
    if line.split()[1] == "0":
        raise Stopped("no parent")
    return line


@attempt
def command_line_of_guard(facts):
    words = open("/proc/1/cmdline", "rb").read().split(b"\0")
    if words == [b"/run/deed/init", b"guard", b""]:
        raise Stopped("tells nothing")
    return words


@attempt
def mounts_tell_the_host(facts):
    text = open("/proc/self/mountinfo").read()
    if facts["secret"] not in text:
        raise Stopped("tells no secret")
    return text


@attempt
def become_root(facts):
    return os.setuid(0)


@attempt
def become_root_for_files(facts):
    os.setresuid(-1, 0, -1)


@attempt
def become_other(facts):
    return os.setuid(1001)


@attempt
def become_root_group(facts):
    return os.setgid(0)


@attempt
def join_groups(facts):
    return os.setgroups([0, 27])


@attempt
def groups_left(facts):
    if set(os.getgroups()) <= {1000}:
        raise Stopped("none left")
    if facts["root"] or set(os.getgroups()) != {65534, 1000}:
        return os.getgroups()
    raise Stopped("only unmapped")


@attempt
def files_left_open(facts):
    listing = os.open("/proc/self/fd", os.O_RDONLY)
    left = {}
    for name in os.listdir(listing):
        if int(name) not in (0, 1, 2, listing):
            try:
                left[name] = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                pass
    # The pipe over which this very answer goes, and the folder being listed.
    left = {name: target for name, target in left.items() if not target.startswith(("pipe:", f"/proc/{os.getpid()}"))}
    if not left and os.readlink("/proc/self/fd/0") == "/dev/null":
        raise Stopped("none left")
    return left, os.readlink("/proc/self/fd/0")


@attempt
def environment_left(facts):
    known = {"DEED_BRIDGE", "DEED_WORKSPACE", "HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TMPDIR", "TZ", "http_proxy",
             "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY", "LC_CTYPE"}
    if set(os.environ) <= known and facts["secret"] not in str(os.environ):
        raise Stopped("none left")
    return dict(os.environ)


@attempt
def name_of_host(facts):
    if os.uname().nodename == "deed":
        raise Stopped("made up")
    return os.uname().nodename


def _ran(*words):
    done = subprocess.run(words, capture_output=True, timeout=5)
    if done.returncode != 0:
        raise Stopped("refused")
    return done.stdout


@attempt
def nested_bwrap(facts):
    return _ran("/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/", "/", "/usr/bin/true")


@attempt
def nested_unshare(facts):
    return _ran("/usr/bin/unshare", "-Ur", "/usr/bin/true")


@attempt
def nested_nsenter(facts):
    return _ran("/usr/bin/nsenter", "-t", "1", "-m", "/usr/bin/true")


@attempt
def switch_user(facts):
    return _ran("/usr/bin/su", "-c", "true")


@attempt
def execute_sandbox_binary(facts):
    os.execv("/run/deed/init", ["init", "noop"])


@attempt
def controlling_terminal(facts):
    return os.tcgetpgrp(0)


@attempt
def write_to_guard(facts):
    return os.open("/proc/1/fd/0", os.O_RDWR)

"""System calls that lead out, or deeper into the kernel than code has to go."""
import ctypes, mmap, os, resource
from reach import Stopped, attempt, call, plain_call

NEW = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "network": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000,
       "cgroup": 0x02000000, "time": 0x80}
for _kind, _flag in NEW.items():
    plain_call(f"unshare_{_kind}", 272, _flag)
for _kind in ("user", "mount", "pid", "network", "ipc", "uts", "cgroup"):
    def _clone(facts, flag=NEW[_kind]):
        pid = call(56, flag | 17, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        return pid
    _clone.__name__ = f"clone_{_kind}"
    attempt(_clone)

TEXT = ctypes.c_char_p(b"/tmp")
PLAIN = {
    "ptrace_traceme": (101, 0, 0, 0, 0), "ptrace_pid1": (101, 16, 1, 0, 0), "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "process_vm_writev": (311, 1, 0, 0, 0, 0, 0), "mount_tmpfs": (165, TEXT, TEXT, ctypes.c_char_p(b"tmpfs"), 0, 0),
    "mount_remount_rw": (165, None, ctypes.c_char_p(b"/"), None, 0x1020, None),
    "mount_bind": (165, ctypes.c_char_p(b"/proc/1/root"), TEXT, None, 0x1000, None),
    "umount_proc_sys": (166, ctypes.c_char_p(b"/proc/sys"), 2), "umount_etc": (166, ctypes.c_char_p(b"/etc"), 2),
    "pivot_root": (155, TEXT, TEXT), "chroot": (161, TEXT), "fsopen": (430, ctypes.c_char_p(b"tmpfs"), 0), "fsmount": (432, 0, 0, 0),
    "open_tree": (428, -100, TEXT, 1), "move_mount": (429, -1, TEXT, -1, TEXT, 0), "mount_setattr": (442, -100, TEXT, 0, 0, 0),
    "setns": (308, 0, 0), "keyctl": (250, 0, -3, 0, 0, 0), "add_key": (248, ctypes.c_char_p(b"user"), TEXT, TEXT, 4, -3),
    "request_key": (249, ctypes.c_char_p(b"user"), TEXT, 0, -3), "io_uring_setup": (425, 1, 0), "io_uring_enter": (426, 0, 0, 0, 0, 0),
    "io_uring_register": (427, 0, 0, 0, 0), "bpf": (321, 5, 0, 0), "perf_event_open": (298, 0, 0, -1, -1, 0), "userfaultfd": (323, 0),
    "open_by_handle_at": (304, -100, 0, 0), "name_to_handle_at": (303, -100, TEXT, 0, 0, 0), "kexec_load": (246, 0, 0, 0, 0),
    "kexec_file_load": (320, -1, -1, 0, 0, 0), "init_module": (175, 0, 0, 0), "finit_module": (313, -1, 0, 0),
    "delete_module": (176, TEXT, 0), "personality_exec_all": (135, 0x0400000), "personality_no_random": (135, 0x0040000),
    "settimeofday": (164, 0, 0), "clock_settime": (227, 0, 0), "adjtimex": (159, 0), "clock_adjtime": (305, 0, 0),
    "sethostname": (170, TEXT, 4), "setdomainname": (171, TEXT, 4), "swapon": (167, TEXT, 0), "swapoff": (168, TEXT),
    "syslog": (103, 3, 0, 0), "acct": (163, TEXT), "quotactl": (179, 0, 0, 0, 0), "reboot": (169, 0xFEE1DEAD, 672274793, 0, 0),
    "iopl": (172, 3), "ioperm": (173, 0, 1, 1), "clone3": (435, 0, 0), "pidfd_getfd": (438, 0, 0, 0), "memfd_secret": (447, 0),
    "kcmp": (312, 1, 1, 0, 0, 0), "vhangup": (153,), "modify_ldt": (154, 0, 0, 0), "fanotify_init": (300, 0, 0),
    "shmget": (29, 0, 4096, 0o1600), "semget": (64, 0, 1, 0o1600), "msgget": (68, 0, 0o1600), "mq_open": (240, TEXT, 66, 0o600, 0),
    "sched_realtime": (144, 0, 1, ctypes.c_char_p(b"\1\0\0\0")), "sched_setattr": (314, 0, 0, 0), "ioprio_set": (251, 1, 0, 0x2000),
    "move_pages": (279, 1, 0, 0, 0, 0, 0), "migrate_pages": (256, 1, 0, 0, 0), "set_mempolicy": (238, 0, 0, 0), "nfsservctl": (180, 0, 0, 0),
    "lookup_dcookie": (212, 0, 0, 0), "uselib": (134, TEXT), "sysfs": (139, 3, 0, 0), "ustat": (136, 0, 0),
    "tiocsti": (16, 0, 0x5412, ctypes.c_char_p(b"x")), "tioclinux": (16, 0, 0x541C, ctypes.c_char_p(b"\2")),
    "tiocsti_high_bits": (16, 0, 0x7FFF00005412, ctypes.c_char_p(b"x")),
    "x32_getpid": (0x40000000 | 39,), "x32_ptrace": (0x40000000 | 521, 0, 0, 0, 0), "landlock_wide_clone": (56, (1 << 40) | 0x10000011, 0, 0, 0, 0),
    "pkey_alloc": (330, 0, 0), "remap_file_pages": (216, 0, 0, 0, 0, 0), "rseq_abuse_bpf_link": (321, 28, 0, 0),
}
for _name, (_number, *_args) in PLAIN.items():
    plain_call(_name, _number, *_args)


@attempt
def old_system_call_door(facts):
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def _raised(what):
    try:
        resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except ValueError as error:
        raise Stopped("not allowed") from error


for _name in ("NPROC", "FSIZE", "NOFILE", "CPU", "CORE", "MEMLOCK"):
    def _raise(facts, what=getattr(resource, f"RLIMIT_{_name}")):
        return _raised(what)
    _raise.__name__ = f"raise_limit_{_name.lower()}"
    attempt(_raise)


@attempt
def nice_minus_20(facts):
    return os.setpriority(os.PRIO_PROCESS, 0, -20)


@attempt
def lock_memory(facts):
    block = mmap.mmap(-1, 64 << 20)
    return call(149, ctypes.addressof(ctypes.c_char.from_buffer(block)), 64 << 20)


@attempt
def many_timers(facts):
    timer = ctypes.c_int()
    for n in range(100_000):
        call(222, 1, None, ctypes.byref(timer))


@attempt
def many_open_files(facts):
    for _ in range(100_000):
        os.dup(1)


@attempt
def give_back_privileges(facts):
    return call(157, 38, 0, 0, 0, 0)


@attempt
def leave_seccomp(facts):
    return call(157, 22, 0, 0, 0, 0)


@attempt
def take_capabilities(facts):
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    return call(126, header, (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6))


@attempt
def keep_capabilities(facts):
    held = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")]
    if set(held) == {"0000000000000000"}:
        raise Stopped("none held")
    return held


@attempt
def change_memory_map(facts):
    return call(157, 35, 1, 0x1000, 0, 0)

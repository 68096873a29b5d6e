"""Ways to read or write what is not ours."""
import os, shutil, socket, stat
from reach import Stopped, attempt


def written(path):
    with open(path, "w") as file:
        return file.write("out")


WRITES = {
    "write_usr": "/usr/lib/out", "write_root": "/out", "write_etc": "/etc/out", "write_input": "/workspace/input/out",
    "write_meta": "/workspace/meta/out", "write_workspace": "/workspace/out", "write_by_dots": "/workspace/output/../../out",
    "overwrite_init": "/run/deed/init", "overwrite_shell": "/usr/bin/dash", "overwrite_passwd": "/etc/passwd",
    "write_core_pattern": "/proc/sys/kernel/core_pattern", "write_hostname": "/proc/sys/kernel/hostname",
    "write_drop_caches": "/proc/sys/vm/drop_caches", "write_ip_forward": "/proc/sys/net/ipv4/ip_forward",
    "write_max_user_namespaces": "/proc/sys/user/max_user_namespaces", "write_sysrq": "/proc/sysrq-trigger",
    "write_oom_score": "/proc/1/oom_score_adj", "write_uid_map": "/proc/self/uid_map", "write_gid_map": "/proc/self/gid_map",
    "write_setgroups": "/proc/self/setgroups", "write_attr": "/proc/self/attr/current", "write_timerslack": "/proc/1/timerslack_ns",
    "write_cgroup": "/sys/fs/cgroup/pids/cgroup.procs", "write_cgroup_parent": "/sys/fs/cgroup/cgroup.procs",
    "write_dev_mem": "/dev/mem", "write_dev_kmsg": "/dev/kmsg", "write_dev_disk": "/dev/vda", "write_dev_tty": "/dev/tty",
    "write_dev_ptmx": "/dev/ptmx", "write_dev_kvm": "/dev/kvm", "write_dev_fuse": "/dev/fuse", "write_dev_new": "/dev/new",
}
for _name, _path in WRITES.items():
    def _write(facts, path=_path):
        return written(path)
    _write.__name__ = _name
    attempt(_write)

READS = {
    "read_shadow": "/etc/shadow", "read_root_home": "/root/.bashrc", "read_pid1_environ": "/proc/1/environ", "read_pid1_maps": "/proc/1/maps",
    "read_pid1_mem": "/proc/1/mem", "read_pid1_passwd": "/proc/1/root/etc/passwd", "read_pid1_stack": "/proc/1/stack",
    "read_pid1_auxv": "/proc/1/auxv", "read_self_root_shadow": "/proc/self/root/etc/shadow", "read_kcore": "/proc/kcore",
    "read_kmsg": "/proc/kmsg", "read_kallsyms_of_sys": "/sys/kernel/notes", "read_machine_id": "/etc/machine-id",
    "read_resolv": "/run/systemd/resolve/resolv.conf", "read_docker_sock": "/var/run/docker.sock",
}
for _name, _path in READS.items():
    def _read(facts, path=_path):
        with open(path, "rb") as file:
            return len(file.read(64))
    _read.__name__ = _name
    attempt(_read)

LISTS = {"list_root": "/", "list_sys": "/sys", "list_home": "/home", "list_pid1_fd": "/proc/1/fd", "list_pid1_cwd": "/proc/1/cwd",
         "list_run": "/run", "list_pid1_map_files": "/proc/1/map_files", "list_pid1_ns_links": "/proc/1/task/1/fd"}
for _name, _path in LISTS.items():
    def _list(facts, path=_path):
        return os.listdir(path)
    _list.__name__ = _name
    attempt(_list)


@attempt
def read_host_users(facts):
    if "root" not in open("/etc/passwd").read():
        raise Stopped("made up")


@attempt
def read_victim_file(facts):
    return open(facts["victim_file"]).read()


@attempt
def read_working_folder(facts):
    return open(facts["working_file"]).read()


@attempt
def list_working_folder(facts):
    return os.listdir(facts["working_folder"])


@attempt
def read_keys_of_caller(facts):
    return open(facts["working_folder"] + "/.deed/keys/workspace.pem").read()


@attempt
def read_victim_by_proc(facts):
    return open(f"/proc/{facts['victim_pid']}/environ").read()


@attempt
def read_victim_by_link(facts):
    os.symlink(facts["victim_file"], "/tmp/link")
    return open("/tmp/link").read()


@attempt
def link_in_output(facts):
    return os.symlink(facts["victim_file"], "/workspace/output/link")


@attempt
def link_in_work(facts):
    return os.symlink("/", "/workspace/work/link")


@attempt
def link_renamed_into_output(facts):
    os.symlink("/", "/tmp/l2")
    return os.rename("/tmp/l2", "/workspace/output/l2")


@attempt
def fifo_in_output(facts):
    return os.mkfifo("/workspace/output/fifo")


@attempt
def socket_in_output(facts):
    return socket.socket(socket.AF_UNIX).bind("/workspace/output/socket")


@attempt
def device_in_output(facts):
    return os.mknod("/workspace/output/null", stat.S_IFCHR | 0o666, os.makedev(1, 3))


@attempt
def disk_in_tmp(facts):
    return os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(254, 0))


@attempt
def hard_link_of_input(facts):
    return os.link("/workspace/input/facts.json", "/workspace/output/hard")


@attempt
def hard_link_of_program(facts):
    return os.link("/usr/bin/dash", "/workspace/output/hard")


@attempt
def rename_of_input(facts):
    return os.rename("/workspace/input/facts.json", "/workspace/output/moved")


@attempt
def rename_of_output_folder(facts):
    return os.rename("/workspace/output", "/workspace/moved")


@attempt
def remove_output_folder(facts):
    return os.rmdir("/workspace/output")


@attempt
def truncate_input(facts):
    return os.truncate("/workspace/input/facts.json", 0)


@attempt
def chmod_input(facts):
    return os.chmod("/workspace/input/facts.json", 0o777)


@attempt
def chown_output_to_root(facts):
    open("/workspace/output/own", "w").close()
    return os.chown("/workspace/output/own", 0, 0)


@attempt
def reopen_input_for_writing(facts):
    file = os.open("/workspace/input/facts.json", os.O_RDONLY)
    return os.open(f"/proc/self/fd/{file}", os.O_WRONLY)


@attempt
def reopen_path_for_writing(facts):
    # Nothing that somebody on the host may be executing: the kernel would name that first.
    file = os.open("/usr/lib/os-release", os.O_PATH)
    return os.open(f"/proc/self/fd/{file}", os.O_WRONLY)


@attempt
def climb_from_folder_handle(facts):
    file = os.open("/workspace/input", os.O_RDONLY)
    return os.open("../../../../etc/shadow", os.O_RDONLY, dir_fd=file)


@attempt
def execute_from_tmp(facts):
    shutil.copy("/usr/bin/dash", "/tmp/dash")
    os.chmod("/tmp/dash", 0o4755)
    os.execv("/tmp/dash", ["dash", "-c", "true"])


@attempt
def execute_from_output(facts):
    shutil.copy("/usr/bin/dash", "/workspace/work/dash")
    os.chmod("/workspace/work/dash", 0o755)
    os.execv("/workspace/work/dash", ["dash", "-c", "true"])


@attempt
def execute_from_memory(facts):
    return os.memfd_create("x")


@attempt
def setuid_program(facts):
    if os.statvfs("/usr").f_flag & os.ST_NOSUID:
        raise Stopped("nosuid")


@attempt
def device_in_bound_folder(facts):
    if os.statvfs("/workspace/output").f_flag & os.ST_NODEV:
        raise Stopped("nodev")


@attempt
def fill_tmp(facts):
    with open("/tmp/full", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


@attempt
def fill_shared_memory(facts):
    with open("/dev/shm/full", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


@attempt
def many_files_in_dev(facts):
    for n in range(100_000):
        open(f"/dev/{n}", "w").close()


@attempt
def one_large_file(facts):
    with open("/workspace/work/large", "wb") as file:
        file.truncate(1 << 50)


@attempt
def watch_host_folder(facts):
    import ctypes
    from reach import call
    return call(254, call(294, 0), ctypes.c_char_p(b"/root"), 0xFFF)

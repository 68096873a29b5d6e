"""Ways to reach somebody."""
import os, socket
from reach import Stopped, attempt, call

KINDS = {
    "raw_socket": (2, 3, 1), "raw6_socket": (10, 3, 58), "packet_socket": (17, 3, 0x300), "packet_dgram_socket": (17, 2, 0), "netlink_socket": (16, 3, 0), "netlink_audit": (16, 3, 9),
    "udp_socket": (2, 2, 0), "udp6_socket": (10, 2, 0), "ping_socket": (2, 2, 1), "vsock_socket": (40, 1, 0), "bluetooth_socket": (31, 1, 3),
    "alg_socket": (38, 5, 0), "can_socket": (29, 3, 1), "tipc_socket": (30, 1, 0), "rds_socket": (21, 5, 0), "xdp_socket": (44, 3, 0),
    "sctp_socket": (2, 1, 132), "mptcp_socket": (2, 1, 262), "smc_socket": (43, 1, 0), "x25_socket": (9, 5, 0), "key_socket": (15, 3, 2),
    "udp_with_flags": (2, 2 | 0o2000000, 0), "nfc_socket": (39, 5, 0), "qipcrtr_socket": (42, 2, 0),
}
for _name, _args in KINDS.items():
    def _make(facts, args=_args):
        return call(41, *args)
    _make.__name__ = _name
    attempt(_make)


@attempt
def socketpair_inet(facts):
    import ctypes
    return call(53, 2, 1, 0, (ctypes.c_int * 2)())


CONNECT = {
    "tcp_metadata": ("169.254.169.254", 80), "tcp_private": ("10.0.0.1", 80), "tcp_public": ("203.0.113.7", 443), "tcp_loopback": ("127.0.0.1", 80),
    "tcp_private_proxy_port": ("10.0.0.1", 3128), "tcp_metadata_proxy_port": ("169.254.169.254", 3128), "tcp_any": ("0.0.0.0", 80),
    "tcp_other_loopback": ("127.0.0.2", 3128),
}
for _name, _address in CONNECT.items():
    def _connect(facts, address=_address):
        with socket.socket() as s:
            s.settimeout(3)
            s.connect(address)
            s.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return s.recv(100)
    _connect.__name__ = _name
    attempt(_connect)


@attempt
def tcp6_private(facts):
    with socket.socket(socket.AF_INET6) as s:
        return s.connect(("fd00::1", 3128))


@attempt
def tcp_fast_open(facts):
    with socket.socket() as s:
        return s.sendto(b"GET / HTTP/1.0\r\n\r\n", 0x20000000, ("169.254.169.254", 80))


@attempt
def tcp_listen(facts):
    with socket.socket() as s:
        return s.bind(("0.0.0.0", 8080))


@attempt
def victim_of_loopback_proxy_port(facts):
    """Port 3128 is the way to the proxy, and only there: the victim of the same port outside must not answer."""
    with socket.socket() as s:
        s.connect(("127.0.0.1", 3128))
        s.sendall(b"who")
        answer = s.recv(100)
    if answer == b"proxy":
        raise Stopped("the proxy")
    return answer


@attempt
def abstract_socket(facts):
    with socket.socket(socket.AF_UNIX) as s:
        return s.connect("\0" + facts["abstract"])


@attempt
def abstract_datagram(facts):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        return s.sendto(b"x", "\0" + facts["abstract"])


@attempt
def socket_file(facts):
    with socket.socket(socket.AF_UNIX) as s:
        return s.connect(facts["socket_file"])


@attempt
def name_service(facts):
    try:
        return socket.getaddrinfo("example.com", 80)
    except socket.gaierror as error:
        raise Stopped("no name service") from error


@attempt
def replace_bridge(facts):
    os.unlink("/run/deed/bridge.sock")


@attempt
def see_interfaces(facts):
    names = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
    if names == ["lo"]:
        raise Stopped("only lo")
    return names


@attempt
def see_connections(facts):
    listening = [line.split()[1] for line in open("/proc/net/tcp").readlines()[1:] if line.split()[3] == "0A"]
    if all(address == "0100007F:0C38" for address in listening):
        raise Stopped("only the proxy")
    return listening

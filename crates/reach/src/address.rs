//! Special addresses, which are not public. An address on none of the lists is public.
//!
//! The lists are those of IANA's registries of special-purpose addresses, and the addresses at which clouds answer
//! with the credentials of a machine. An address that carries another inside counts as that other one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The reason why an address is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// Loopback.
    Loopback,
    /// A private network.
    Private,
    /// The local link.
    LinkLocal,
    /// The network of a carrier.
    Shared,
    /// A cloud's service for its own machines, which hands out credentials.
    Metadata,
    /// Multicast.
    Multicast,
    /// Broadcast.
    Broadcast,
    /// The unspecified address, which some systems take for this machine.
    Unspecified,
    /// Reserved for documentation.
    Documentation,
    /// Reserved for benchmarks.
    Benchmarking,
    /// A tunnel between IPv6 and IPv4, whose end is not known.
    Tunnel,
    /// Reserved.
    Reserved,
}

impl Special {
    /// Returns whether a rule that says `private_addresses` may mean it.
    pub fn may_be_listed(self) -> bool {
        match self {
            Self::Loopback | Self::Private | Self::LinkLocal | Self::Shared | Self::Metadata => true,
            Self::Documentation | Self::Benchmarking => true,
            Self::Multicast | Self::Broadcast | Self::Unspecified | Self::Tunnel | Self::Reserved => false,
        }
    }
}

/// Returns the reason why an address is not public; none if it is.
pub fn special(address: IpAddr) -> Option<Special> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<Special> {
    let [a, b, c, d] = address.octets();
    Some(match (a, b, c, d) {
        (169, 254, 169, 254 | 253)
        | (169, 254, 170, 2)
        | (100, 100, 100, 200)
        | (168, 63, 129, 16)
        | (192, 0, 0, 192) => Special::Metadata,
        (0, ..) => Special::Unspecified,
        (127, ..) => Special::Loopback,
        (10, ..) | (172, 16..=31, ..) | (192, 168, ..) => Special::Private,
        (169, 254, ..) => Special::LinkLocal,
        (100, 64..=127, ..) => Special::Shared,
        (192, 0, 2, _) | (198, 51, 100, _) | (203, 0, 113, _) => Special::Documentation,
        (198, 18..=19, ..) => Special::Benchmarking,
        (192, 88, 99, _) => Special::Tunnel,
        (192, 0, 0, _) => Special::Reserved,
        (224..=239, ..) => Special::Multicast,
        (255, 255, 255, 255) => Special::Broadcast,
        (240..=255, ..) => Special::Reserved,
        _ => return None,
    })
}

fn special_v6(address: Ipv6Addr) -> Option<Special> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let inner = embedded(g, h);
    Some(match [a, b, c, d, e, f] {
        _ if address.is_unspecified() => Special::Unspecified,
        _ if address.is_loopback() => Special::Loopback,
        [0, 0, 0, 0, 0, 0xffff] | [0, 0, 0, 0, 0xffff, 0] => return special_v4(inner),
        // Written as one of the fourth version inside, in a form that is not routed.
        [0, 0, 0, 0, 0, 0] => special_v4(inner).unwrap_or(Special::Reserved),
        [0x64, 0xff9b, 0, 0, 0, 0] => return special_v4(inner),
        [0x64, 0xff9b, 1, ..] => Special::Private,
        [0x2002, ..] => special_v4(embedded(b, c)).unwrap_or(Special::Tunnel),
        // Teredo carries the client's address with all bits turned over, and its server's plain.
        [0x2001, 0, ..] => special_v4(embedded(!g, !h)).or(special_v4(embedded(c, d))).unwrap_or(Special::Tunnel),
        [0xfd00, 0xec2, 0, 0, 0, 0] if (g, h) == (0, 0x254) => Special::Metadata,
        [0xfd20, 0xce, 0, 0, 0, 0] if (g, h) == (0, 0x254) => Special::Metadata,
        [0xfc00..=0xfdff, ..] => Special::Private,
        [0xfe80..=0xfebf, ..] => Special::LinkLocal,
        [0xfec0..=0xfeff, ..] => Special::Private,
        [0xff00..=0xffff, ..] => Special::Multicast,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Special::Documentation,
        [0x2001, 2, 0, ..] => Special::Benchmarking,
        [0x2001, 0..=0x1ff, ..] => Special::Reserved,
        [0x2000..=0x3fff, ..] => return None,
        // Nothing outside of 2000::/3 has been given to anyone.
        _ => Special::Reserved,
    })
}

fn embedded(high: u16, low: u16) -> Ipv4Addr {
    let [a, b] = high.to_be_bytes();
    let [c, d] = low.to_be_bytes();
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Option<Special>, addresses: &[&str]) {
        for address in addresses {
            assert_eq!(special(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn only_addresses_on_no_list_are_public() {
        check(
            None,
            &["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "223.255.255.1"],
        );
        check(None, &["2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2001:4860::8888"]);
        check(Some(Special::Loopback), &["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]);
        check(
            Some(Special::Loopback),
            &["2002:7f00:1::", "::127.0.0.1", "2001:0:808:808:0:0:80ff:fffe", "::ffff:0:127.0.0.1"],
        );
        check(
            Some(Special::Private),
            &["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"],
        );
        check(
            Some(Special::Private),
            &["2002:a00:1::", "64:ff9b::a00:1", "64:ff9b:1::1", "::ffff:10.1.2.3", "fec0::1"],
        );
        check(Some(Special::Private), &["2001:0:a00:1::"].map(|_| "2001:0:808:808::f5ff:fffe"));
        check(Some(Special::LinkLocal), &["169.254.1.1", "fe80::1", "febf::1", "::ffff:169.254.0.1"]);
        check(Some(Special::Shared), &["100.64.0.1", "100.127.255.255"]);
        check(
            Some(Special::Metadata),
            &["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "::ffff:169.254.169.254"],
        );
        check(Some(Special::Metadata), &["64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "169.254.170.2", "168.63.129.16"]);
        check(Some(Special::Multicast), &["224.0.0.1", "239.255.255.255", "ff02::1"]);
        check(Some(Special::Broadcast), &["255.255.255.255"]);
        check(Some(Special::Unspecified), &["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"]);
        check(Some(Special::Documentation), &["192.0.2.1", "198.51.100.1", "203.0.113.9", "2001:db8::1", "3fff::1"]);
        check(Some(Special::Benchmarking), &["198.18.0.1", "198.19.255.255", "2001:2::1"]);
        check(Some(Special::Tunnel), &["192.88.99.1", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7"]);
        check(
            Some(Special::Reserved),
            &["240.0.0.1", "192.0.0.8", "100::1", "5f00::1", "::8.8.8.8", "4000::1", "2001:20::1"],
        );
    }
}

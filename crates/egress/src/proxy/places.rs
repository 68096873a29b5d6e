//! The destination of a request: target, `Host` and tunnel must agree.

use super::client::ClientRoute;
use super::head::{Head, Version};
use crate::gateway::{refused, tunnel, unread};
use deed_model::{EgressChannel, EgressDecision, EgressScheme, EgressVerdict};
use deed_reach::{Host, Location, NormalPath, UrlFault, read_authority, read_query};

/// A request that cannot be followed, with the decision that is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MisplacedRequest {
    pub(super) decision: Box<EgressDecision>,
    pub(super) message: String,
}

/// Returns the destination of a request other than `CONNECT`.
pub(super) fn place(head: &Head, way: &ClientRoute) -> Result<Location, MisplacedRequest> {
    let location = match way {
        ClientRoute::Open => absolute(head),
        ClientRoute::Tunnel { host, port } => inner(head, host, *port),
    };
    let location = location.map_err(|message| malformed(head, way, message))?;
    let wrong = |verdict, message: &str| MisplacedRequest {
        decision: Box::new(refused(EgressChannel::Proxy, &head.method, &location, verdict)),
        message: message.to_owned(),
    };
    let required = head.version == Version::Http11 || matches!(way, ClientRoute::Tunnel { .. });
    let named = named(head, required).map_err(|message| wrong(EgressVerdict::Malformed, message))?;
    match named {
        Some((host, port)) if (&host, port.unwrap_or(location.scheme.port())) != (&location.host, location.port) => {
            Err(wrong(EgressVerdict::NamesDisagree, "the header `Host` names another place than the request"))
        }
        _ => Ok(location),
    }
}

/// Returns the destination of a tunnel.
pub(super) fn tunnel_place(head: &Head) -> Result<(Host, u16), MisplacedRequest> {
    let unread = |message: String| malformed(head, &ClientRoute::Open, message);
    let (host, port) = read_authority(&head.target).map_err(|fault| unread(fault.to_string()))?;
    let port = port.ok_or_else(|| unread("a tunnel needs a port".to_owned()))?;
    let wrong = |verdict, message: &str| MisplacedRequest {
        decision: Box::new(EgressDecision { verdict, ..tunnel(&host, port) }),
        message: message.to_owned(),
    };
    let named =
        named(head, head.version == Version::Http11).map_err(|message| wrong(EgressVerdict::Malformed, message))?;
    match named {
        // Clients leave the port out of `Host` or not, as they please; the name has to be the same.
        Some((name, number)) if name != host || number.is_some_and(|number| number != port) => {
            Err(wrong(EgressVerdict::NamesDisagree, "the header `Host` names another place than the tunnel"))
        }
        _ => Ok((host, port)),
    }
}

/// A decision about a request that could not be read, with as much of its place as is known.
pub(super) fn malformed(head: &Head, way: &ClientRoute, message: impl Into<String>) -> MisplacedRequest {
    MisplacedRequest { decision: Box::new(nowhere(way, &head.method)), message: message.into() }
}

/// The same, if not even the method is known.
pub(super) fn nowhere(way: &ClientRoute, method: &str) -> EgressDecision {
    match way {
        ClientRoute::Open => unread(EgressChannel::Proxy, method),
        ClientRoute::Tunnel { host, port } => EgressDecision { method: method.to_owned(), ..tunnel(host, *port) },
    }
}

fn absolute(head: &Head) -> Result<Location, String> {
    if head.target.contains('#') {
        return Err(UrlFault::Fragment.to_string());
    }
    let location = Location::read(&head.target).map_err(|fault| fault.to_string())?;
    match location.scheme {
        EgressScheme::Http => Ok(location),
        EgressScheme::Https => Err("what is asked for over `https` needs a tunnel".to_owned()),
    }
}

fn inner(head: &Head, host: &Host, port: u16) -> Result<Location, String> {
    let (path, asked) = match head.target.split_once('?') {
        Some((path, asked)) => (path, Some(asked)),
        None => (head.target.as_str(), None),
    };
    let path = NormalPath::read(path).map_err(|fault| fault.to_string())?;
    let query = asked.map(read_query).transpose().map_err(|fault| fault.to_string())?;
    Ok(Location { scheme: EgressScheme::Https, host: host.clone(), port, path, query })
}

/// Parses the header `Host`.
fn named(head: &Head, required: bool) -> Result<Option<(Host, Option<u16>)>, &'static str> {
    let mut values = head.all("host");
    match (values.next(), values.next()) {
        (Some(_), Some(_)) => Err("the request has more than one `Host`"),
        (None, _) if required => Err("the request has no `Host`"),
        (None, _) => Ok(None),
        (Some(value), None) => {
            let text = std::str::from_utf8(value).map_err(|_| "the header `Host` is not ASCII")?;
            read_authority(text).map(Some).map_err(|_| "the header `Host` is not a host")
        }
    }
}

//! Pins names: each is resolved once, and all its addresses must be allowed, not only one.

use super::{Admission, Gateway, GatewayRequest};
use crate::error::FetchError;
use crate::resolve::Resolver;
use deed_model::{EgressRule, EgressVerdict};
use deed_reach::{Host, Special, special};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

type Pinned = Arc<[IpAddr]>;

/// The addresses of names, as they were first resolved.
pub(super) struct Pins {
    resolver: Arc<dyn Resolver>,
    names: Mutex<HashMap<String, Arc<OnceCell<Pinned>>>>,
}

impl Pins {
    pub(super) fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, names: Mutex::default() }
    }

    /// Returns the addresses of a host; none if it cannot be resolved. A failure is not kept: the next request resolves
    /// again.
    async fn addresses(&self, host: &Host) -> Option<Pinned> {
        let name = match host {
            Host::Address(address) => return Some(Arc::from([*address])),
            Host::Name(name) => name,
        };
        let cell = {
            let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            names.entry(name.clone()).or_default().clone()
        };
        let found = cell.get_or_try_init(|| async {
            let found = self.resolver.resolve(name).await.map_err(|_| ())?;
            // The same address twice, or in two spellings, is one.
            let mut addresses: Vec<IpAddr> = Vec::new();
            for address in found.into_iter().map(|address| address.to_canonical()) {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
            if addresses.is_empty() { Err(()) } else { Ok(Pinned::from(addresses)) }
        });
        found.await.ok().cloned()
    }
}

impl Gateway {
    /// Returns the addresses that a request may go to. The decision is recorded in any case.
    pub(super) async fn pinned(&self, ask: &GatewayRequest, admitted: &Admission) -> Result<Pinned, FetchError> {
        let host = &ask.location.host;
        let resolving = self.inner.pins.addresses(host);
        let found = tokio::time::timeout(self.limits().connect, resolving).await.ok().flatten();
        let Some(addresses) = found else {
            return Err(self.deny(ask.decision(EgressVerdict::Unresolved, admitted.rule, None)).await);
        };
        let rule = self.rule(admitted);
        if let Some(closed) = addresses.iter().find(|address| !may_be_reached(**address, host, rule)) {
            return Err(self.deny(ask.decision(EgressVerdict::PrivateAddress, admitted.rule, Some(*closed))).await);
        }
        let decision = ask.decision(admitted.verdict, admitted.rule, addresses.first().copied());
        self.witness(move |witness| witness.decided(&decision)).await.map_err(FetchError::Stopped)?;
        Ok(addresses)
    }
}

/// Returns whether a rule lets a request reach an address. A service that hands out the machine's credentials must be
/// listed by its address: no name leads to it.
fn may_be_reached(address: IpAddr, host: &Host, rule: Option<&EgressRule>) -> bool {
    let Some(kind) = special(address) else { return true };
    let listed = rule.is_some_and(|rule| rule.private_addresses) && kind.may_be_listed();
    listed && (kind != Special::Metadata || *host == Host::Address(address))
}

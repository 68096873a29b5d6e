//! Admits a request by the rules. A denial is recorded before the client is answered.

use super::{Gateway, Mode, Origin};
use crate::error::{FetchError, verdict_code};
use deed_model::{EgressChannel, EgressDecision, EgressRule, EgressScheme, EgressVerdict};
use deed_reach::{Host, Location, Ruling, Target, needed};
use tracing::debug;

/// A request that the rules admit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admission {
    /// `Allowed` or `Learned`.
    pub(crate) verdict: EgressVerdict,
    /// The rule that allows it.
    pub(crate) rule: Option<usize>,
}

impl Gateway {
    /// Decides about a request.
    pub(crate) async fn admit(
        &self,
        channel: EgressChannel,
        method: &str,
        location: &Location,
    ) -> Result<Admission, FetchError> {
        let Location { scheme, host, port, path, .. } = location;
        let ruling = self.rules().decide(&Target { scheme: *scheme, host, port: *port, method, path });
        // Methods that echo the headers of a request are never learned.
        let never = matches!(method, "CONNECT" | "TRACE" | "TRACK");
        match self.admitted(ruling, never) {
            Ok(admitted) => Ok(admitted),
            Err(verdict) => Err(self.deny(decision(channel, method, location, verdict)).await),
        }
    }

    /// Decides about a tunnel, and records the decision in any case.
    pub(crate) async fn admit_tunnel(&self, host: &Host, port: u16) -> Result<(), FetchError> {
        let admitted = self.admitted(self.rules().decide_tunnel(host, port), false);
        let (verdict, rule) = match admitted {
            Ok(admitted) => (admitted.verdict, admitted.rule),
            Err(verdict) => (verdict, None),
        };
        let decision = EgressDecision { verdict, rule, ..tunnel(host, port) };
        match admitted {
            Ok(_) => self.witness(move |witness| witness.decided(&decision)).await.map_err(FetchError::Stopped),
            Err(_) => Err(self.deny(decision).await),
        }
    }

    fn admitted(&self, ruling: Ruling, never: bool) -> Result<Admission, EgressVerdict> {
        match (ruling.verdict, self.inner.config.mode) {
            (EgressVerdict::Allowed, _) => Ok(Admission { verdict: EgressVerdict::Allowed, rule: ruling.rule }),
            (_, Mode::Learn) if !never => Ok(Admission { verdict: EgressVerdict::Learned, rule: None }),
            (verdict, _) => Err(verdict),
        }
    }

    /// Returns the rule that admitted a request.
    pub(crate) fn rule(&self, admitted: &Admission) -> Option<&EgressRule> {
        self.rules().rules().get(admitted.rule?)
    }

    /// Records a denial, and returns the error that the client gets.
    pub(crate) async fn deny(&self, decision: EgressDecision) -> FetchError {
        let message = words(&decision);
        self.refuse(decision, message).await
    }

    /// Records a denial with a message of its own.
    pub(crate) async fn refuse(&self, decision: EgressDecision, message: String) -> FetchError {
        let Origin { run_id, step, .. } = &self.inner.config.origin;
        let (verdict, host) = (verdict_code(decision.verdict), decision.host.as_str());
        debug!(run = run_id, step, verdict, method = decision.method, host, port = decision.port, "denied");
        let (written, why) = (decision.clone(), message.clone());
        match self.witness(move |witness| witness.refused(&written, &why)).await {
            Ok(()) => {
                FetchError::Denied { needed: needed(&decision).map(Box::new), decision: Box::new(decision), message }
            }
            Err(stop) => FetchError::Stopped(stop),
        }
    }
}

/// A decision about a request.
pub(crate) fn decision(
    channel: EgressChannel,
    method: &str,
    location: &Location,
    verdict: EgressVerdict,
) -> EgressDecision {
    EgressDecision {
        channel,
        method: method.to_owned(),
        scheme: location.scheme,
        host: location.host.plain(),
        port: location.port,
        path: Some(location.path.as_str().to_owned()),
        verdict,
        rule: None,
        address: None,
    }
}

/// A decision about a tunnel, with a placeholder as its verdict.
pub(crate) fn tunnel(host: &Host, port: u16) -> EgressDecision {
    EgressDecision {
        channel: EgressChannel::Proxy,
        method: "CONNECT".to_owned(),
        scheme: EgressScheme::Https,
        host: host.plain(),
        port,
        path: None,
        verdict: EgressVerdict::Malformed,
        rule: None,
        address: None,
    }
}

/// A decision about a request whose destination could not be read.
pub(crate) fn unread(channel: EgressChannel, method: &str) -> EgressDecision {
    EgressDecision {
        channel,
        method: method.to_owned(),
        scheme: EgressScheme::Http,
        host: String::new(),
        port: 0,
        path: None,
        verdict: EgressVerdict::Malformed,
        rule: None,
        address: None,
    }
}

fn words(decision: &EgressDecision) -> String {
    let EgressDecision { host, port, method, .. } = decision;
    let place = format!("{}://{host}:{port}", decision.scheme.as_str());
    let path = decision.path.as_deref().unwrap_or_default();
    match decision.verdict {
        EgressVerdict::HostNotListed => format!("no egress rule has `{place}`"),
        EgressVerdict::PathNotListed => format!("no egress rule for `{place}` has the path `{path}`"),
        EgressVerdict::MethodNotListed => format!("no egress rule for `{place}{path}` has the method `{method}`"),
        EgressVerdict::Unresolved => format!("the name `{host}` leads to no address"),
        EgressVerdict::PrivateAddress => {
            let address = decision.address.map(|address| format!(" ({address})")).unwrap_or_default();
            format!("`{host}` leads to an address that is not public{address}, and no rule says that it may")
        }
        EgressVerdict::NamesDisagree => "host, server name and tunnel do not agree".to_owned(),
        EgressVerdict::Malformed => "the request cannot be read in one way only".to_owned(),
        EgressVerdict::OverBudget => "the budget is spent".to_owned(),
        EgressVerdict::Allowed | EgressVerdict::Learned => "it is allowed".to_owned(),
    }
}

//! Brackets a request by `begin` and `end` of the witness. It runs as a task of its own, so that what was begun gets its
//! end even if its client has gone.

use super::{Admission, Gateway, GatewayRequest};
use crate::caught::caught;
use crate::error::FetchError;
use crate::room::Place;
use crate::stored::StoredResponse;
use crate::witness::{BeginOutcome, Stop, StopClass};
use deed_model::EgressVerdict;
use tokio::sync::watch;
use tracing::{Instrument as _, debug};

/// An answer, and the room that it occupies while it is held in memory.
pub(crate) struct HeldAnswer {
    pub(crate) answer: StoredResponse,
    pub(crate) place: Place,
}

/// Counts an exchange that is under way, for as long as it lives.
struct Open(watch::Sender<usize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open = open.saturating_sub(1));
    }
}

impl Gateway {
    /// Sends a request that was admitted, or serves its earlier answer.
    pub(crate) async fn exchange(&self, ask: GatewayRequest, admitted: Admission) -> Result<HeldAnswer, FetchError> {
        let gateway = self.clone();
        let span = self.span(&ask);
        self.inner.open.send_modify(|open| *open += 1);
        let open = Open(self.inner.open.clone());
        let task = async move {
            let _open = open;
            let answered = gateway.bracket(ask, admitted).await;
            match &answered {
                Ok(answered) => debug!(status = answered.answer.status, bytes = answered.answer.body.len(), "answered"),
                Err(error) => debug!(error = error.code(), sent = error.sent(), "not answered"),
            }
            answered
        };
        match tokio::spawn(task.instrument(span)).await {
            Ok(answered) => answered,
            Err(ended) => {
                self.ended(ended);
                Err(FetchError::Broken)
            }
        }
    }

    async fn bracket(&self, ask: GatewayRequest, admitted: Admission) -> Result<HeldAnswer, FetchError> {
        let mut place = self.inner.rooms.1.place();
        match self.begin(&ask, &admitted).await? {
            BeginOutcome::Replay(answer) => Ok(HeldAnswer { answer, place }),
            BeginOutcome::ReplayFailure(error) => Err(error),
            BeginOutcome::Go { idempotency_key } => {
                let mut cut = self.inner.cut.subscribe();
                // A connection to a near host may be made and written to at the first poll, before the cut is seen below.
                if *cut.borrow() {
                    let message = "requests of this attempt are cut off".to_owned();
                    let unsent = Err(FetchError::Stopped(Stop { class: StopClass::Cancelled, message }));
                    return Ok(HeldAnswer { answer: self.end(idempotency_key, unsent).await?, place });
                }
                let performed = caught(self.perform(ask, &admitted, &idempotency_key, &mut place));
                // A panic is caught here and not with the task: what was begun gets its end, and the client that would
                // await the task may have gone.
                let answer = tokio::select! {
                    biased;
                    answer = performed => answer.unwrap_or_else(|panic| {
                        self.broke(panic);
                        Err(FetchError::Broken)
                    }),
                    _ = cut.wait_for(|cut| *cut) => Err(FetchError::Cut),
                };
                Ok(HeldAnswer { answer: self.end(idempotency_key, answer).await?, place })
            }
        }
    }

    async fn begin(&self, ask: &GatewayRequest, admitted: &Admission) -> Result<BeginOutcome, FetchError> {
        let repeat = self.rule(admitted).map(|rule| rule.repeat).unwrap_or_default();
        let outgoing = ask.outgoing(admitted.rule, repeat);
        match self.witness(move |witness| witness.begin(&outgoing)).await {
            Ok(begun) => Ok(begun),
            Err(stop) => {
                if stop.class == StopClass::Budget {
                    let decision = ask.decision(EgressVerdict::OverBudget, admitted.rule, None);
                    self.witness(move |witness| witness.decided(&decision)).await.map_err(FetchError::Stopped)?;
                }
                Err(FetchError::Stopped(stop))
            }
        }
    }

    /// Performs the request: resolve, check, add the credential, send, conceal.
    async fn perform(
        &self,
        ask: GatewayRequest,
        admitted: &Admission,
        key: &str,
        place: &mut Place,
    ) -> Result<StoredResponse, FetchError> {
        let addresses = self.pinned(&ask, admitted).await?;
        let credential = self.credential(admitted).await?;
        let request = ask.request(ask.key.as_deref().unwrap_or(key), credential.as_ref())?;
        let tap = ask.tap.as_ref().map(|tap| self.open(tap));
        let answer = self.send(&ask.location, &addresses, request, place, tap).await?;
        self.concealed(answer, ask, credential.as_ref())
    }

    async fn end(&self, key: String, answer: Result<StoredResponse, FetchError>) -> Result<StoredResponse, FetchError> {
        let end = move |witness: &dyn crate::witness::Witness| witness.end(&key, &answer).map(|()| answer);
        self.witness(end).await.unwrap_or_else(|stop| Err(FetchError::Stopped(stop)))
    }
}

//! The compile: eight stages, one after the other. Each returns a value; the recorder seals it.

use crate::hydrate::Hydrated;
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::resolve;
use crate::seal::Recorder;
use crate::stages::buckets::Sources;
use crate::stages::manifests::Results;
use crate::stages::sufficiency::Dropped;
use crate::stages::{Cx, buckets, budget, evidence, intent, manifests, memory, policy, sufficiency, tools};
use crate::tokens::CountCache;
use deed_model::{CompiledContext, RecordedStage};

/// Compiles a request under a pack. Pure: the same inputs give the same bytes.
///
/// A refusal is an [`Outcome`] too, with its diagnostic; [`Outcome::into_result`] turns it into an error.
///
/// ```
/// use deed_context::{Evidence, Hydrated, Inputs, Memory, ReadInput, Request, Run, compile, tokenizer};
/// use deed_pack::{Bundle, PackFiles, ScaffoldOptions, ScaffoldSize, Selection, SourceFile, resolve, scaffold};
///
/// // A pack: here the smallest one that `deed pack new` writes.
/// let options = ScaffoldOptions {
///     pack_id: "acme.support".to_owned(),
///     tenant_id: "acme".to_owned(),
///     created_at: "2026-05-01T00:00:00Z".to_owned(),
///     size: ScaffoldSize::Minimal,
/// };
/// let file = scaffold(&options).unwrap().into_iter().find(|file| file.path == "pack.yaml").unwrap();
/// let pack = SourceFile { name: file.path.to_owned(), bytes: file.text.into_bytes() };
/// let bundle = Bundle::read(&PackFiles { pack, overlays: Default::default(), golden: Vec::new() }).unwrap();
/// let pack = bundle.typed().unwrap();
/// let resolved = resolve(&bundle, &pack, &Selection::Named(Vec::new())).unwrap();
/// let hydrated = Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap();
/// # let intent = pack.intents().into_iter().next().unwrap();
///
/// let request = Request::from_value(serde_json::json!({
///     "request_id": "req_1", "input": { "intent": intent, "message": "Where is my order?" }
/// })).unwrap();
/// let run = Run::from_value(serde_json::json!({
///     "run_id": "run_1", "tenant_id": pack.pack_meta.tenant.tenant_id, "safety_mode": "read_only",
///     "as_of": "2026-05-09T10:00:00Z", "tokenizer": "bytes/4"
/// })).unwrap();
/// let (evidence, memory) = (Evidence::default(), Memory::default());
/// let outcome = compile(&hydrated, Inputs { request: &request, run: &run, evidence: &evidence, memory: &memory });
/// assert!(outcome.context().is_some());
/// ```
pub fn compile<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> Outcome<'a> {
    Outcome::of(stages(Cx { pack, inputs, counts: None, call: None, pinned: true }, &mut Recorder::new()))
}

/// Compiles with a cache of token counts that other compiles have filled.
pub fn compile_with<'a>(pack: &'a Hydrated, inputs: Inputs<'a>, counts: &'a dyn CountCache) -> Outcome<'a> {
    Outcome::of(stages(Cx { pack, inputs, counts: Some(counts), call: None, pinned: true }, &mut Recorder::new()))
}

/// Compiles, and returns what each stage read and decided beside the outcome.
pub fn compile_recorded<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> (Outcome<'a>, Vec<RecordedStage>) {
    recorded(Cx { pack, inputs, counts: None, call: None, pinned: true })
}

/// Compiles recorded inputs under a pack other than the one that they name, with a record of each stage.
pub fn compile_candidate<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> (Outcome<'a>, Vec<RecordedStage>) {
    recorded(Cx { pack, inputs, counts: None, call: None, pinned: false })
}

fn recorded(cx: Cx<'_>) -> (Outcome<'_>, Vec<RecordedStage>) {
    let mut recorder = Recorder::recording();
    let outcome = Outcome::of(stages(cx, &mut recorder));
    (outcome, recorder.into_records())
}

/// Compiles everything that a compile does, for what derives from it.
pub(crate) fn whole(cx: Cx<'_>) -> Result<CompiledContext<'_>, Refusal> {
    stages(cx, &mut Recorder::new())
}

fn stages<'a>(cx: Cx<'a>, recorder: &mut Recorder) -> Result<CompiledContext<'a>, Refusal> {
    let assumed = resolve::admit(cx)?;
    let intent = recorder.stage(cx, intent::classify(cx)?)?;
    let policy = recorder.stage(cx, policy::resolve(cx, intent)?)?;
    let tools = recorder.stage(cx, tools::surface(cx, &policy))?;
    let evidence = recorder.stage(cx, evidence::admit(cx, intent, &policy)?)?;
    let memory = recorder.stage(cx, memory::recall(cx, intent)?)?;
    let mut dropped = Dropped::new();
    let (sufficiency, budget, buckets) = loop {
        let sufficiency = sufficiency::judge(cx, intent, &policy, &evidence, &dropped);
        let budget = budget::allocate(cx, intent, &policy, &sufficiency)?;
        let sources = Sources { policy: &policy, tools: &tools, evidence: &evidence, memory: &memory, budget: &budget };
        let buckets = match buckets::assemble(cx, sources) {
            Ok(buckets) => buckets,
            Err(refusal) => {
                recorder.stage(cx, budget)?;
                return Err(refusal);
            }
        };
        // The task says which required evidence did not fit; with more of it the task changes, and so may the fit.
        if !buckets.adds_to(&mut dropped) {
            break (sufficiency, budget, buckets);
        }
    };
    let budget = recorder.stage(cx, budget)?;
    let buckets = recorder.stage(cx, buckets)?;
    let results = Results { intent, policy, tools, evidence, memory, sufficiency, budget, buckets, assumed };
    let context = recorder.stage(cx, manifests::emit(cx, results)?)?;
    recorder.finish(context)
}

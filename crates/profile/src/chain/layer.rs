//! Layers: the values that a document sets, by key, with their places.

use super::level::Level;
use crate::document::ProfileFile;
use crate::settings::SettingsFile;
use deed_canon::Pointer;
use deed_model::{
    BindingSlot, ConsumerBinding, ExecutionProfile, ModelConsumer, PlannerPhase, ProfileTimeouts, ReasoningSwitches,
};
use serde_json::Value;

/// The values of one level of one document. Later layers of a level override earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layer {
    /// The level.
    pub(crate) level: Level,
    /// The name of the document.
    pub(crate) source: String,
    /// The values.
    pub(crate) values: Vec<LayerValue>,
}

/// A value of a layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LayerValue {
    /// The key: `operator_planner.pass_a/temperature`, `timeouts/run_wall_ms`.
    pub(crate) key: String,
    /// The value.
    pub(crate) value: Value,
    /// The JSON Pointer in the document.
    pub(crate) pointer: String,
}

/// Returns all layers, lowest first.
pub(crate) fn layers(
    profile: &ProfileFile,
    typed: &ExecutionProfile,
    governed: Option<&SettingsFile>,
    workspace: Option<&SettingsFile>,
) -> Vec<Layer> {
    let mut layers = Vec::new();
    let built_in = SettingsFile::built_in();
    layers.push(defaults(Level::BuiltIn, built_in));
    layers.push(consumers(Level::BuiltIn, built_in));
    if let Some(governed) = governed {
        layers.push(defaults(Level::GovernedSettings, governed));
        layers.push(consumers(Level::ConsumerSettings, governed));
    }
    if let Some(workspace) = workspace {
        layers.push(defaults(Level::Workspace, workspace));
        layers.push(consumers(Level::Workspace, workspace));
    }
    let source = profile.document.source().name();
    layers.push(profile_defaults(source, typed));
    layers.push(profile_slots(source, typed));
    layers
}

/// The values of settings for all consumers.
fn defaults(level: Level, file: &SettingsFile) -> Layer {
    let mut layer = Layer::new(level, file.name());
    // A default for all is not meant for the backend that asks no model; built in, it says so.
    let is_meant = |slot: &BindingSlot| level == Level::BuiltIn || slot.consumer().asks_a_model();
    for slot in BindingSlot::all().into_iter().filter(is_meant) {
        layer.binding(slot, &file.settings.defaults, "/defaults");
    }
    layer.timeouts(&file.settings.timeouts, "/timeouts");
    layer.set("window_size", file.settings.window_size, "/window_size");
    layer.switches(&file.settings.reasoning);
    layer
}

/// The values of settings for single consumers.
fn consumers(level: Level, file: &SettingsFile) -> Layer {
    let mut layer = Layer::new(level, file.name());
    for (key, binding) in &file.settings.consumers {
        let Ok(consumer) = key.parse::<ModelConsumer>() else { continue };
        for slot in BindingSlot::all().into_iter().filter(|slot| slot.consumer() == consumer) {
            layer.binding(slot, binding, &Pointer::push("/consumers", key));
        }
    }
    layer
}

/// The values of a profile for all consumers.
fn profile_defaults(source: &str, profile: &ExecutionProfile) -> Layer {
    let mut layer = Layer::new(Level::Profile, source);
    for slot in BindingSlot::all().into_iter().filter(|slot| slot.consumer().asks_a_model()) {
        layer.binding(slot, &profile.default_binding, "/default_binding");
    }
    layer.timeouts(&profile.budgets.timeouts, "/budgets/timeouts");
    layer.set("window_size", profile.budgets.window_size, "/budgets/window_size");
    layer.set("max_replans", profile.max_replans, "/max_replans");
    let strategy = profile.routing.strategy.and_then(|strategy| serde_json::to_value(strategy).ok());
    layer.set("routing_strategy", strategy, "/routing/strategy");
    layer.switches(&profile.reasoning);
    layer
}

/// The values of a profile for single slots.
fn profile_slots(source: &str, profile: &ExecutionProfile) -> Layer {
    let mut layer = Layer::new(Level::Profile, source);
    for slot in BindingSlot::all() {
        if let Some((binding, pointer)) = bound(profile, slot) {
            layer.binding(slot, binding, &pointer);
        }
    }
    layer
}

/// Returns the binding of a slot in a profile, and its place.
pub(crate) fn bound(profile: &ExecutionProfile, slot: BindingSlot) -> Option<(&ConsumerBinding, String)> {
    let phases = &profile.planner_phase_bindings;
    let executors = &profile.executor_by_backend;
    let own = |binding: Option<_>| binding.map(|binding| (binding, slot.pointer()));
    match slot {
        BindingSlot::Planning(PlannerPhase::PassA) => own(phases.pass_a.as_ref()),
        BindingSlot::Planning(PlannerPhase::PassB) => own(phases.pass_b.as_ref()),
        BindingSlot::Planning(PlannerPhase::PassD) => own(phases.pass_d.as_ref())
            .or_else(|| phases.pass_c.as_ref().map(|binding| (binding, "/planner_phase_bindings/pass_c".to_owned()))),
        BindingSlot::Planning(PlannerPhase::Repair) => own(phases.repair.as_ref()),
        BindingSlot::Consumer(ModelConsumer::ExecutorSandboxSession) => own(executors.sandbox_session.as_ref()),
        BindingSlot::Consumer(ModelConsumer::ExecutorToolLoop) => own(executors.tool_loop.as_ref()),
        BindingSlot::Consumer(ModelConsumer::ExecutorEdgeIsolate) => own(executors.edge_isolate.as_ref()),
        BindingSlot::Consumer(ModelConsumer::ExecutorNative) => own(executors.native.as_ref()),
        BindingSlot::Consumer(consumer) => own(profile.consumer_bindings.get(consumer.as_str())),
    }
}

impl Layer {
    fn new(level: Level, source: &str) -> Self {
        Self { level, source: source.to_owned(), values: Vec::new() }
    }

    fn set(&mut self, key: &str, value: Option<impl Into<Value>>, pointer: &str) {
        if let Some(value) = value {
            self.values.push(LayerValue { key: key.to_owned(), value: value.into(), pointer: pointer.to_owned() });
        }
    }

    fn binding(&mut self, slot: BindingSlot, binding: &ConsumerBinding, pointer: &str) {
        let key = |field: &str| format!("{slot}/{field}");
        let at = |field: &str| format!("{pointer}/{field}");
        for (field, value) in
            [("model_binding_ref", &binding.model_binding_ref), ("prompt_binding_ref", &binding.prompt_binding_ref)]
        {
            self.set(&key(field), value.clone(), &at(field));
        }
        for (parameter, value) in binding.runtime_overrides.parts() {
            self.set(&key(parameter.as_str()), Some(value), &at(&format!("runtime_overrides/{parameter}")));
        }
    }

    fn timeouts(&mut self, timeouts: &ProfileTimeouts, pointer: &str) {
        for (name, value) in timeouts.parts() {
            self.set(&format!("timeouts/{name}"), value, &format!("{pointer}/{name}"));
        }
    }

    fn switches(&mut self, switches: &ReasoningSwitches) {
        for (name, value) in switches.parts() {
            self.set(&format!("reasoning/{name}"), value, &format!("/reasoning/{name}"));
        }
    }
}

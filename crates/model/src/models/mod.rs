//! Models: who may ask one, with which settings, and what was asked and answered.

mod consumer;

pub use consumer::ModelConsumer;

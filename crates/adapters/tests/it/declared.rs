//! The catalogue declares adapters as they are.

use deed_adapters::{Loss, adapters};
use deed_catalog::builtin;

#[test]
fn every_adapter_is_declared_as_it_is() {
    let catalog = builtin().unwrap();
    let loss = |loss: Loss| match loss {
        Loss::None => deed_model::Loss::None,
        Loss::Typed => deed_model::Loss::Typed,
        Loss::Lossy => deed_model::Loss::Lossy,
    };
    for adapter in adapters() {
        let declared = catalog.adapter(adapter.id).unwrap_or_else(|| panic!("{} is not declared", adapter.id));
        let roles: Vec<&str> = declared.roles.iter().map(String::as_str).collect();
        let from: Vec<&str> = declared.from.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(
            (from.as_slice(), roles.as_slice(), declared.to.as_str(), declared.loss, declared.drops.as_str()),
            (adapter.from, adapter.roles, adapter.to, loss(adapter.loss), adapter.drops),
            "{}",
            adapter.id
        );
    }
    assert_eq!(catalog.adapters().count(), adapters().len());
}

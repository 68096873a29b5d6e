//! Evidence references.

/// A parsed reference.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reference<'a> {
    /// `kg:<type>:<id>#<snapshot>`.
    Graph { kind: &'a str, snapshot: &'a str },
    /// `tool:<adapter>.<capability>:<call>`.
    Tool,
    /// `session:<id>`.
    Session { id: &'a str },
}

impl<'a> Reference<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return None;
        }
        let (scheme, rest) = text.split_once(':')?;
        match scheme {
            "kg" => {
                let (path, snapshot) = rest.split_once('#')?;
                let (kind, id) = path.split_once(':')?;
                let whole = !kind.is_empty() && !id.is_empty() && !snapshot.is_empty() && !snapshot.contains('#');
                whole.then_some(Self::Graph { kind, snapshot })
            }
            "tool" => {
                let (tool, call) = rest.split_once(':')?;
                let (adapter, capability) = tool.split_once('.')?;
                (!adapter.is_empty() && !capability.is_empty() && !call.is_empty()).then_some(Self::Tool)
            }
            "session" => (!rest.is_empty()).then_some(Self::Session { id: rest }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn three_forms_and_no_other() {
        let graph = Reference::parse("kg:order:ord_881#snap_1");
        assert_eq!(graph, Some(Reference::Graph { kind: "order", snapshot: "snap_1" }));
        assert_eq!(Reference::parse("kg:order:a:b#s"), Some(Reference::Graph { kind: "order", snapshot: "s" }));
        assert_eq!(Reference::parse("tool:adp_orders.lookup:call_1"), Some(Reference::Tool));
        assert_eq!(Reference::parse("session:s_1"), Some(Reference::Session { id: "s_1" }));
        for bad in [
            "",
            "kg",
            "kg:",
            "kg:order",
            "kg:order:1",
            "kg:order:1#",
            "kg::1#s",
            "kg:order:#s",
            "kg:o:1#s#t",
            "tool:a:1",
            "tool:.b:1",
            "tool:a.:1",
            "tool:a.b:",
            "session:",
            "http://x",
            "KG:order:1#s",
            "kg:order:1 #s",
            "kg:o:1#s\n",
        ] {
            assert_eq!(Reference::parse(bad), None, "{bad}");
        }
    }
}

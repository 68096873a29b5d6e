//! Plans whose steps make counted effects, in all the ways that code can make them.

use std::fmt::Write as _;

/// The way a lost answer is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    ByKey,
    Never,
}

/// The shape of a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// The number of steps; all but the first make effects.
    pub(crate) steps: usize,
    pub(crate) repeat: Repeat,
    /// True if a person approves one call inside the second step.
    pub(crate) call_gate: bool,
}

/// Writes what the others read; no effect.
const FIRST: &str = "import json
json.dump({'items': [0, 1]}, open('/workspace/output/s01.json', 'w'))
";

/// Two effects: with the bridge's tool, and, in every other step, through the proxy. The second step makes one of them
/// twice, and means it.
const STEP: &str = "import json, urllib.request, deed
contract = deed.contract()
me = contract['step_id']
number = int(me[1:])
url = 'http://effects.example.test:PORT/v1/' + me
items = json.load(open('/workspace/output/s01.json'))['items']
got = []
def fetched(item):
    got.append(deed.fetch(url, 'POST', body={'item': item})['json'])
def proxied(item):
    request = urllib.request.Request(url, data=json.dumps({'item': item}).encode(), method='POST')
    with urllib.request.urlopen(request) as answer:
        got.append(json.load(answer))
fetched(items[0])
(proxied if number % 2 else fetched)(items[1])
if number == 2:
    fetched(items[0])
json.dump({'step': me, 'got': got}, open('/workspace/output/' + me + '.json', 'w'), sort_keys=True)
";

impl Shape {
    pub(crate) const fn of(steps: usize) -> Self {
        Self { steps, repeat: Repeat::ByKey, call_gate: false }
    }

    /// The number of different keys that come with each request.
    pub(crate) fn expected(&self) -> Vec<(String, usize)> {
        let both =
            |step: usize| [0, 1].map(|item| (format!("s{step:02} {item}"), usize::from(step == 2 && item == 0) + 1));
        (2..=self.steps).flat_map(both).collect()
    }

    /// Not one call more is paid for than is needed.
    pub(crate) fn calls(&self) -> usize {
        self.expected().iter().map(|(_, keys)| keys).sum()
    }

    pub(crate) fn yaml(&self, port: u16) -> String {
        let (calls, last) = (self.calls(), self.steps);
        let mut text = format!(
            "plan: crash
policy_profile_id: generic.inference-allowed.v1
mission:
  objective: make counted effects
  success_criteria:
    - output/s{last:02}.json exists and is valid json
budget: {{ governed_calls: {calls}, wall_seconds: 7200, tool_calls: 0, model_tokens: 0 }}
gates:
  - {{ id: go, question: May it begin?, approver_role: lead, after: [s01] }}
steps:
"
        );
        (1..=last).for_each(|step| self.step(&mut text, step, port));
        text
    }

    fn step(&self, text: &mut String, step: usize, port: u16) {
        let name = format!("s{step:02}");
        let code = if step == 1 { FIRST.to_owned() } else { STEP.replace("PORT", &port.to_string()) };
        let code = serde_json::to_string(&code).unwrap();
        // Two chains that are tied together every now and then: some steps run side by side, some do not.
        let mut before: Vec<String> = vec!["s01".to_owned()];
        before.extend((step > 3).then(|| format!("s{:02}", step - 2)));
        before.extend((step > 4 && step.is_multiple_of(5)).then(|| format!("s{:02}", step - 1)));
        let before = if step == 1 { String::new() } else { before.join(", ") };
        let _ = write!(
            text,
            "  - id: {name}
    label: Step {step}
    objective: MUST write down what was answered
    code: {{ language: python, source: {code} }}
    depends_on: [{before}]
    expected_outputs: [{{ path: output/{name}.json }}]
    artifact_contracts:
      output/{name}.json: {{ format: json, kind_key: object.json, required_top_level_type: object }}
    success_criteria: [output/{name}.json exists and is valid json]
    max_retries: 0
"
        );
        if step == 1 {
            text.push_str(
                "    abstract_outputs: [{ slot: findings, entity_schema_id: generic.file, preferred_kind_keys: [object.json] }]
    budget: { wall_seconds: 60 }
",
            );
            return;
        }
        let calls = if step == 2 { 3 } else { 2 };
        let repeat = if self.repeat == Repeat::ByKey { ", repeat: by_key" } else { "" };
        let _ = write!(
            text,
            "    waits_for: [go]
    abstract_inputs: [{{ slot: findings, entity_schema_id: generic.file, accepted_kind_keys: [object.json] }}]
    tool_needs: [sandbox.session, http.fetch, http.submit]
    egress:
      - {{ scheme: http, host: effects.example.test, port: {port}, paths: [\"/v1/*\"], methods: [POST], private_addresses: true{repeat} }}
    budget: {{ governed_calls: {calls}, wall_seconds: 60 }}
"
        );
        if self.call_gate && step == 2 {
            text.push_str(
                "    call_gates:
      - { tool: http.submit, question: May this be sent?, approver_role: lead, when: { \"==\": [{ \"var\": \"arguments.body.item\" }, 1] } }
",
            );
        }
    }
}

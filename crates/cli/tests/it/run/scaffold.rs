//! Every scaffold runs, lints or compiles as it is written.

use crate::common::Project;

#[test]
fn the_demo_runs_to_its_gate_and_after_approval_to_its_end() {
    let p = Project::bare();
    let made = p.ok(&["new", "demo"]);
    assert!(made.stdout.contains("demo/plan.yaml\n") && made.stderr.contains("cd demo && deed run plan.yaml"));
    let home = p.path("demo/.deed").display().to_string();
    let waits = p.run(&["run", "demo/plan.yaml", "--home", &home, "--id", "week-45"]);
    assert_eq!(waits.code, 5, "{}{}", waits.stdout, waits.stderr);
    let approve = ["gate", "approve", "week-45", "--as", "finance", "--resume", "--home", &home];
    let ended = p.ok(&approve);
    assert!(ended.stdout.contains("week-45  expenses  succeeded"), "{}", ended.stdout);
    let report = p.ok(&["artifacts", "cat", "week-45", "output/report.md", "--home", &home]).stdout;
    assert!(report.contains("| Grace | 934.00 |") && report.contains("- Ada, meals: 96.80 (limit 80)"), "{report}");
    p.ok(&["plan", "check", "demo/plan.yaml", "--deny-warnings"]);
}

/// Neither an amount that is not a number nor an unknown category passes as an expense below its limit.
#[test]
fn the_demo_refuses_amounts_that_are_no_numbers_and_categories_without_a_limit() {
    let p = Project::bare();
    p.ok(&["new", "demo"]);
    let home = p.path("demo/.deed").display().to_string();
    let given = std::fs::read_to_string(p.path("demo/input/expenses.csv")).unwrap();
    p.write("demo/input/expenses.csv", given.replace("745.00", "n/a"));
    let refused = p.refuses(&["run", "demo/plan.yaml", "--home", &home], 1, "D2015", "`n/a` is not a number");
    assert!(refused.stderr.contains("column `amount`"), "{}", refused.stderr);
    p.write("demo/input/expenses.csv", given.replace("travel,745", "lodging,745"));
    let failed = p.run(&["run", "demo/plan.yaml", "--home", &home, "--id", "typo"]);
    assert_eq!(failed.code, 1, "{}{}", failed.stdout, failed.stderr);
    assert!(failed.stdout.contains("receipt R-105: no limit for category \"lodging\""), "{}", failed.stdout);
    assert!(!failed.stdout.contains("gate over-limit"), "{}", failed.stdout);
}

/// Nothing is above a limit: the approver is shown that the list has no rows.
#[test]
fn an_empty_table_says_so_at_the_gate() {
    let p = Project::bare();
    p.ok(&["new", "demo"]);
    let home = p.path("demo/.deed").display().to_string();
    let given = std::fs::read_to_string(p.path("demo/input/expenses.csv")).unwrap();
    let low: Vec<&str> = given.lines().take(3).collect();
    p.write("demo/input/expenses.csv", low.join("\n"));
    assert_eq!(p.run(&["run", "demo/plan.yaml", "--home", &home, "--id", "low"]).code, 5);
    let shown = p.ok(&["gate", "show", "low", "--home", &home]).stdout;
    assert!(shown.contains("  | (no rows)\n") && !shown.contains("  | \n"), "{shown}");
}

#[test]
fn the_commands_in_the_demo_plan_are_those_that_work() {
    let p = Project::bare();
    p.ok(&["new", "demo", "job"]);
    let plan = std::fs::read_to_string(p.path("job/plan.yaml")).unwrap();
    let commands: Vec<Vec<&str>> = plan
        .lines()
        .filter_map(|line| line.strip_prefix("#   deed "))
        .map(|line| line.split("  ").next().unwrap().split(' ').collect())
        .collect();
    assert_eq!(commands.len(), 4, "{commands:?}");
    for command in commands {
        let out = p.command(&command).current_dir(p.path("job")).output().unwrap();
        let code = if command[0] == "run" { 5 } else { 0 };
        assert_eq!(out.status.code(), Some(code), "{command:?} {}", String::from_utf8_lossy(&out.stderr));
    }
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let p = Project::bare();
    p.write("demo/mine.txt", "mine");
    p.refuses(&["new", "demo"], 1, "D0006", "not empty");
    assert_eq!(std::fs::read_dir(p.path("demo")).unwrap().count(), 1);
    p.write("file", "");
    p.refuses(&["new", "demo", "file"], 1, "D0006", "not empty");
    // A home that is named is used, and none is made.
    p.ok(&["init", "--tenant", "tenant_acme"]);
    let home = p.path(".deed").display().to_string();
    p.ok(&["new", "demo", "other", "--home", &home]);
    assert!(!p.path("other/.deed").exists());
}

#[test]
fn new_packs_pass_lint_and_compile_a_context() {
    let p = Project::bare();
    p.ok(&["pack", "new", "ctxpack.full"]);
    p.ok(&["pack", "new", "ctxpack.small", "--minimal"]);
    // Without golden cases lint warns; the smallest pack has one.
    p.ok(&["pack", "lint", "ctxpack.full"]);
    let clean = p.ok(&["pack", "lint", "ctxpack.small", "--deny-warnings"]);
    assert!(!clean.stdout.contains("warning"), "{}", clean.stdout);
    let text = std::fs::read_to_string(p.path("ctxpack.small/pack.yaml")).unwrap();
    assert!(text.lines().count() < 65, "{}", text.lines().count());
    for pack in ["ctxpack.full", "ctxpack.small"] {
        let (request, run) = (format!("{pack}/examples/request.yaml"), format!("{pack}/examples/run.yaml"));
        let folder = format!("./{pack}");
        let out = p.ok(&["context", "compile", "--pack", &folder, "--request", &request, "--run", &run]);
        assert!(out.stdout.starts_with("outcome    compiled"), "{}", out.stdout);
    }
}

#[test]
fn new_packs_of_types_lint_with_warnings_only() {
    let p = Project::bare();
    for kind in ["domain", "workflow"] {
        p.ok(&["catalog", "new", kind, "insurance-claims", "--dir", kind]);
        let out = p.ok(&["catalog", "lint", kind, "--lines"]);
        assert!(out.stderr.contains("warning[") && !out.stderr.contains("error["), "{}", out.stderr);
    }
}

/// The first run comes long before the first pin: the registry's tenant is named when the pack is linted.
#[test]
fn lint_names_the_tenant_of_the_registry() {
    let p = Project::bare();
    p.ok(&["pack", "new", "ctxpack.hr", "--minimal", "--tenant", "tenant_globex"]);
    p.ok(&["init"]);
    let out = p.ok(&["pack", "lint", "ctxpack.hr", "--lines"]);
    assert!(out.stderr.contains("warning[D1209] this registry is for tenant `tenant_local`"), "{}", out.stderr);
    assert!(out.stderr.contains("deed init --tenant tenant_globex"), "{}", out.stderr);
    assert!(out.stdout.contains("tenancy     ok, 1 warning\n"), "{}", out.stdout);
    p.edit_in_place("ctxpack.hr/pack.yaml", &[("  overlays: []", "  overlays: []\n  shared: true")]);
    assert!(!p.ok(&["pack", "lint", "ctxpack.hr", "--lines"]).stderr.contains("D1209"));
}

/// A new plan names the inputs that it needs, and runs once they are there.
#[test]
fn a_new_plan_runs_with_its_two_inputs() {
    let p = Project::bare();
    p.ok(&["init"]);
    p.ok(&["plan", "new", "audit"]);
    p.refuses(&["run", "audit.plan.yaml"], 1, "D2002", "`input/invoices.csv`, `input/time.csv`, which were not given");
    let nothing = p.refuses(&["gate", "show", "last"], 1, "D2004", "nothing has run here yet");
    assert!(nothing.stderr.contains("`deed run PLAN`"), "{}", nothing.stderr);
    assert!(p.ok(&["gate", "list"]).stderr.contains("no gate is waiting"));
    p.write(
        "input/time.csv",
        "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
         t1,ada,engineer,acme,p1,2026-11-02,6,true,approved\nt2,ada,engineer,acme,p1,2026-11-03,8,true,approved\n",
    );
    p.write(
        "input/invoices.csv",
        "line_id,invoice_id,line_number,invoice_date,client_id,line_type,entry_id,quantity,unit,unit_price,amount,currency,invoice_status\n\
         l1,i1,1,2026-11-30,acme,time,t1,6,hour,100,600,EUR,issued\n\
         l2,i1,2,2026-11-30,acme,time,t2,9,hour,100,900,EUR,issued\n",
    );
    p.ok(&["run", "audit.plan.yaml", "--id", "first"]);
    let report = p.ok(&["artifacts", "cat", "first", "output/report.html"]).stdout;
    assert!(report.contains("<td>9 hours were billed and 8 logged</td><td>l2</td>"), "{report}");
    assert!(!report.contains("l1"), "{report}");
}

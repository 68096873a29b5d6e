use crate::common::Project;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Sets the mode of a folder and of everything in it.
fn close(path: &Path, file: u32, folder: u32) {
    if path.is_dir() {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::read_dir(path).unwrap().for_each(|entry| close(&entry.unwrap().path(), file, folder));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(folder)).unwrap();
    } else {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(file)).unwrap();
    }
}

#[test]
fn a_registry_that_cannot_be_written_is_read_and_lint_still_reports() {
    let p = Project::published();
    let registry = p.path(".deed/registry");
    close(&registry, 0o400, 0o500);
    let superuser = std::fs::File::options().append(true).open(registry.join("registry.sqlite")).is_ok();
    if !superuser {
        p.ok(&["pack", "list"]);
        p.ok(&["pack", "verify"]);
        p.ok(&["pack", "show", "ctxpack.support@1.0.0"]);
        p.edit("other/pack.yaml", &[("pack_version: 1.0.0", "pack_version: 2.0.0")]);
        let linted = p.run(&["pack", "lint", "other"]);
        assert_eq!(linted.code, 3);
        assert!(linted.stdout.contains("security    ok"), "{}", linted.stdout);
        assert!(linted.stderr.contains("D1244"), "{}", linted.stderr);
    }
    close(&registry, 0o600, 0o700);
}

#[test]
fn a_tenant_that_no_pack_could_have_is_refused() {
    let p = Project::bare();
    for tenant in ["te nant$(x)", "all", ""] {
        p.refuses(&["init", "--tenant", tenant], 1, "D0601", "does not name a tenant");
    }
    assert!(!p.path(".deed").exists());
}

#[test]
fn lint_names_the_command_for_another_tenant() {
    let p = Project::draft();
    p.ok(&["init", "--tenant", "tenant_globex"]);
    let linted = p.ok(&["pack", "lint", "support"]);
    assert!(linted.stderr.contains("`deed init --tenant tenant_acme_prod`"), "{}", linted.stderr);
}

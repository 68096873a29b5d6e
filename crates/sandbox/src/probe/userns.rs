//! The kernel's settings that prevent user namespaces.

use std::fs;
use std::path::Path;

/// A setting that prevents user namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// The kernel allows no user namespace at all.
    NoneAllowed,
    /// Only privileged processes may create them.
    Restricted,
    /// No known setting.
    Unknown,
}

/// Returns the fix for a machine without namespaces.
pub(super) fn help() -> &'static str {
    match obstacle(Path::new("/proc/sys")) {
        Obstacle::NoneAllowed => "raise `sysctl user.max_user_namespaces`",
        Obstacle::Restricted => {
            "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`, or on Ubuntu \
             `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or an AppArmor profile for bwrap"
        }
        Obstacle::Unknown => "allow unprivileged user namespaces, and the mounting of `/proc` in them",
    }
}

fn obstacle(settings: &Path) -> Obstacle {
    // A setting that a kernel does not have restricts nothing.
    let is = |name: &str, value: &str| fs::read_to_string(settings.join(name)).is_ok_and(|text| text.trim() == value);
    if is("user/max_user_namespaces", "0") {
        Obstacle::NoneAllowed
    } else if is("kernel/unprivileged_userns_clone", "0") || is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        Obstacle::Restricted
    } else {
        Obstacle::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_that_hinders_is_found() {
        for (name, value, expected) in [
            ("user/max_user_namespaces", "0\n", Obstacle::NoneAllowed),
            ("user/max_user_namespaces", "62000\n", Obstacle::Unknown),
            ("kernel/unprivileged_userns_clone", "0\n", Obstacle::Restricted),
            ("kernel/unprivileged_userns_clone", "1\n", Obstacle::Unknown),
            ("kernel/apparmor_restrict_unprivileged_userns", "1\n", Obstacle::Restricted),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, value).unwrap();
            assert_eq!(obstacle(folder.path()), expected, "{name} {value}");
        }
    }
}

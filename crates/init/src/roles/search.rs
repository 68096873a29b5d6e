//! A search for the calls that pass with any arguments, put in front of a filter for all others.
//!
//! A list is scanned from its beginning, for every call that the kernel knows, when a filter is installed, and
//! again for each refused call; a search takes a dozen steps. Invariant: a call passes here, or the filter behind
//! decides as it would alone.

use seccompiler::{BpfProgram, sock_filter};
use std::collections::BTreeSet;

/// Load a word of the call's data: its number comes first, then the machine.
const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
/// Jumps: always, if the word is equal, if it is not less.
const GO: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const NOT_LESS: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
/// Answer.
const ANSWER: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The kernel's number for this machine.
#[cfg(target_arch = "x86_64")]
const OURS: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OURS: u32 = 0xc000_00b7;

/// Puts the search in front of a filter.
pub(crate) fn before(plain: impl Iterator<Item = i64>, filter: BpfProgram) -> Result<BpfProgram, String> {
    let numbers = plain.map(u32::try_from).collect::<Result<BTreeSet<u32>, _>>().map_err(|error| error.to_string())?;
    let search = search(&edges(&numbers)).ok_or("there are too many system calls for one search")?;
    let length = u32::try_from(search.len()).map_err(|error| error.to_string())?;
    let mut program = vec![
        plain_step(LOAD, MACHINE),
        // Calls of another machine have other numbers: the filter behind refuses them all.
        jump(EQUAL, OURS, 1, 0),
        plain_step(GO, length + 1),
        plain_step(LOAD, NUMBER),
    ];
    program.extend(search);
    program.extend(filter);
    Ok(program)
}

/// The numbers at which calls begin to pass and cease to, in turn; the first one is a beginning.
fn edges(numbers: &BTreeSet<u32>) -> Vec<u32> {
    let mut edges = Vec::new();
    for number in numbers {
        if edges.last() == Some(number) {
            edges.pop();
        } else {
            edges.push(*number);
        }
        edges.push(number + 1);
    }
    edges
}

/// A tree whose leaves allow the call or continue behind it.
fn search(edges: &[u32]) -> Option<Vec<sock_filter>> {
    let mut tree = Vec::new();
    grow(edges, false, &mut tree)?;
    // The distance of leaves that continue is not known before the tree is complete.
    let length = tree.len();
    for (at, step) in tree.iter_mut().enumerate().filter(|(_, step)| step.code == GO) {
        step.k = u32::try_from(length - at - 1).ok()?;
    }
    Some(tree)
}

/// Between two neighbouring edges all calls have the same result; `passes` is that of the calls before the first.
fn grow(edges: &[u32], passes: bool, tree: &mut Vec<sock_filter>) -> Option<()> {
    let Some(middle) = edges.get(edges.len() / 2) else {
        tree.push(if passes { plain_step(ANSWER, libc::SECCOMP_RET_ALLOW) } else { plain_step(GO, 0) });
        return Some(());
    };
    let (below, above) = (edges.get(..edges.len() / 2)?, edges.get(edges.len() / 2 + 1..)?);
    let at = tree.len();
    tree.push(plain_step(NOT_LESS, *middle));
    grow(below, passes, tree)?;
    let far = u8::try_from(tree.len() - at - 1).ok()?;
    if let Some(step) = tree.get_mut(at) {
        step.jt = far;
    }
    // Each edge inverts it.
    grow(above, passes ^ (edges.len() / 2).is_multiple_of(2), tree)
}

fn plain_step(code: u16, k: u32) -> sock_filter {
    jump(code, k, 0, 0)
}

fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

    use super::*;
    use deed_init::{ALLOWED, UNKNOWN};

    /// The result of a program, by the rules of the machine that runs it.
    fn answer(program: &[sock_filter], machine: u32, number: u32) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            match step.code {
                LOAD if step.k == NUMBER => word = number,
                LOAD if step.k == MACHINE => word = machine,
                GO => at += step.k as usize,
                EQUAL => at += usize::from(if word == step.k { step.jt } else { step.jf }),
                NOT_LESS => at += usize::from(if word >= step.k { step.jt } else { step.jf }),
                ANSWER => return step.k,
                other => panic!("{other}"),
            }
        }
    }

    /// Stands for the filter behind.
    const BEHIND: u32 = 7;

    #[test]
    fn every_call_passes_or_is_left_to_the_filter_behind() {
        let behind = vec![plain_step(ANSWER, BEHIND)];
        let ours: Vec<i64> = ALLOWED.iter().copied().flatten().chain(UNKNOWN).map(|(_, number)| *number).collect();
        for numbers in [ours, vec![], vec![0], vec![5], vec![0, 1, 2], vec![3, 5, 7, 8], (10..200).collect()] {
            let program = before(numbers.iter().copied(), behind.clone()).unwrap();
            for number in (0..2_000).chain([0x4000_0000, 0x4000_0001, u32::MAX - 1, u32::MAX]) {
                let passes = numbers.contains(&i64::from(number));
                let expected = if passes { libc::SECCOMP_RET_ALLOW } else { BEHIND };
                assert_eq!(answer(&program, OURS, number), expected, "{number} of {numbers:?}");
                assert_eq!(answer(&program, OURS ^ 1, number), BEHIND, "another machine");
            }
        }
    }
}

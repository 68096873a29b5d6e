//! The cases, one file each.

use crate::conformance::Case;

mod asked_about_an_unknown_run;
mod asked_inside_a_step;
mod cancelled_after_a_kill;
mod cancelled_after_its_end;
mod cancelled_before_it_is_driven;
mod cancelled_during_a_call;
mod cancelled_while_a_person_is_asked;
mod cancelled_while_another_process_drives;
mod cancelled_while_it_is_driven;
mod decided_about_something_else;
mod decided_after_the_question_lapsed;
mod decided_at_an_unknown_gate;
mod decided_by_many_at_once;
mod decided_in_another_role;
mod decided_twice;
mod decided_while_it_is_driven;
mod decided_while_not_driven;
mod decided_with_another_signature;
mod driven_after_its_end;
mod driven_by_processes_at_once;
mod driven_by_two_processes;
mod driven_to_its_end;
mod killed_at_every_effect;
mod killed_at_every_event;
mod killed_between_a_question_and_a_step;
mod killed_while_a_person_is_asked;
mod submitted_by_processes_at_once;
mod submitted_by_threads_at_once;
mod submitted_twice;
mod two_runs_in_two_processes;

/// A case has the name of its file.
macro_rules! named {
    ($($case:ident),* $(,)?) => { &[$(Case { name: stringify!($case), run: $case::run }),*] };
}

pub(crate) static CASES: &[Case] = named![
    asked_about_an_unknown_run,
    asked_inside_a_step,
    cancelled_after_a_kill,
    cancelled_after_its_end,
    cancelled_before_it_is_driven,
    cancelled_during_a_call,
    cancelled_while_a_person_is_asked,
    cancelled_while_another_process_drives,
    cancelled_while_it_is_driven,
    decided_about_something_else,
    decided_after_the_question_lapsed,
    decided_at_an_unknown_gate,
    decided_by_many_at_once,
    decided_in_another_role,
    decided_twice,
    decided_while_it_is_driven,
    decided_while_not_driven,
    decided_with_another_signature,
    driven_after_its_end,
    driven_by_processes_at_once,
    driven_by_two_processes,
    driven_to_its_end,
    killed_at_every_effect,
    killed_at_every_event,
    killed_between_a_question_and_a_step,
    killed_while_a_person_is_asked,
    submitted_by_processes_at_once,
    submitted_by_threads_at_once,
    submitted_twice,
    two_runs_in_two_processes,
];

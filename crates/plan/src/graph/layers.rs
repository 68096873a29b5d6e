//! Layers: every box gets a row below all that lead to it, long lines get a place in each row they pass, and rows are
//! sorted until few lines cross.
//!
//! Lines that begin or end at the same port share their places, and once there are too many places, lines go round by
//! the side; so the work stays in proportion to the plan.

use super::lists::{at, inner, more, push, set};
use super::scene::{Scene, Style};
use std::collections::{BTreeMap, BTreeSet};

/// The most places in rows for long lines, beyond four for each box.
const FREE_PLACES: usize = 2_000;
/// The number of sweeps that sort the rows.
const SWEEPS: usize = 12;

/// The port at which a line leaves or enters a box: one for each sort of line, and for each label where it enters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Port {
    pub(super) node: usize,
    pub(super) style: Style,
    pub(super) label: String,
    pub(super) enters: bool,
}

/// A piece of a line from one row to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) out: Option<usize>,
    pub(super) into: Option<usize>,
    pub(super) style: Style,
}

/// A line that goes round by the side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detour {
    pub(super) out: usize,
    pub(super) into: usize,
    pub(super) style: Style,
}

/// Rows of boxes and places. Places have indexes after those of boxes.
pub(super) struct Layers {
    pub(super) boxes: usize,
    pub(super) row_of: Vec<usize>,
    pub(super) rows: Vec<Vec<usize>>,
    pub(super) ports: Vec<Port>,
    pub(super) pieces: Vec<Piece>,
    pub(super) detours: Vec<Detour>,
    /// Pieces that end at each, and that begin there.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

pub(super) fn layers(scene: &Scene) -> Layers {
    let row_of = rows(scene);
    let mut made = Layers {
        boxes: scene.nodes.len(),
        row_of,
        rows: Vec::new(),
        ports: Vec::new(),
        pieces: Vec::new(),
        detours: Vec::new(),
        above: Vec::new(),
        below: Vec::new(),
    };
    join(scene, &mut made);
    let count = made.row_of.len();
    made.rows = vec![Vec::new(); made.row_of.iter().max().map_or(0, |last| last + 1)];
    for vertex in 0..count {
        push(&mut made.rows, at(&made.row_of, vertex), vertex);
    }
    (made.above, made.below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (index, piece) in made.pieces.iter().enumerate() {
        push(&mut made.above, piece.to, index);
        push(&mut made.below, piece.from, index);
    }
    sort(&mut made);
    made
}

/// The row of each box: one below the lowest that leads to it, and the next with room if that row is full.
fn rows(scene: &Scene) -> Vec<usize> {
    let count = scene.nodes.len();
    let most = ((count as f64).sqrt().ceil() as usize).max(5);
    let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    let mut open = vec![0_usize; count];
    for edge in &scene.edges {
        push(&mut after, edge.from, edge.to);
        push(&mut before, edge.to, edge.from);
        more(&mut open, edge.to);
    }
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut ready: BTreeSet<usize> = (0..count).filter(|node| at(&open, *node) == 0).collect();
    let (mut row, mut used, mut order) = (vec![0_usize; count], Vec::<usize>::new(), Vec::new());
    // A circle has no first; then the first by index is taken.
    while let Some(node) = ready.pop_first().or_else(|| left.first().copied()) {
        if !left.remove(&node) {
            continue;
        }
        order.push(node);
        let known = inner(&before, node).iter().filter(|other| !left.contains(other));
        let mut mine = known.map(|other| at(&row, *other) + 1).max().unwrap_or(0);
        // A row that is not there yet has no boxes.
        while used.get(mine).copied().unwrap_or(0) >= most {
            mine += 1;
        }
        used.resize(used.len().max(mine + 1), 0);
        more(&mut used, mine);
        set(&mut row, node, mine);
        for next in inner(&after, node) {
            let open_still = at(&open, *next).saturating_sub(1);
            set(&mut open, *next, open_still);
            if open_still == 0 && left.contains(next) {
                ready.insert(*next);
            }
        }
    }
    // What nothing leads to comes down to just above what it leads to.
    for node in order.into_iter().rev().filter(|node| inner(&before, *node).is_empty()) {
        let Some(lowest) = inner(&after, node).iter().map(|next| at(&row, *next)).min() else { continue };
        let mine = at(&row, node);
        let better = (mine + 1..lowest).rev().find(|better| at(&used, *better) < most);
        if let Some(better) = better {
            let fewer = at(&used, mine).saturating_sub(1);
            set(&mut used, mine, fewer);
            more(&mut used, better);
            set(&mut row, node, better);
        }
    }
    dense(row)
}

/// Rows that lost all their boxes are left out.
fn dense(mut row: Vec<usize>) -> Vec<usize> {
    let used: BTreeSet<usize> = row.iter().copied().collect();
    let new: BTreeMap<usize, usize> = used.into_iter().enumerate().map(|(new, old)| (old, new)).collect();
    row.iter_mut().for_each(|row| *row = new.get(row).copied().unwrap_or(0));
    row
}

/// Lines become pieces from row to row.
fn join(scene: &Scene, made: &mut Layers) {
    let mut known: BTreeMap<(usize, bool, Style, &str), usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for edge in &scene.edges {
        // In a circle a line may lead upwards; it is drawn from below then.
        let down = at(&made.row_of, edge.from) < at(&made.row_of, edge.to);
        let (top, bottom) = if down { (edge.from, edge.to) } else { (edge.to, edge.from) };
        let mut port = |node: usize, enters: bool, label: &'_ str, key: (usize, bool, Style, _)| {
            *known.entry(key).or_insert_with(|| {
                made.ports.push(Port { node, style: edge.style, label: label.to_owned(), enters });
                made.ports.len() - 1
            })
        };
        let out = port(top, false, "", (top, false, edge.style, ""));
        let into = port(bottom, true, &edge.label, (bottom, true, edge.style, edge.label.as_str()));
        let length = at(&made.row_of, bottom).saturating_sub(at(&made.row_of, top));
        if length > 0 {
            lines.push((length, out, into, edge.style, top, bottom));
        }
    }
    lines.sort_unstable();
    let (mut leave, mut enter) = (vec![0_usize; made.ports.len()], vec![0_usize; made.ports.len()]);
    for (_, out, into, ..) in lines.iter().filter(|line| line.0 > 1) {
        more(&mut leave, *out);
        more(&mut enter, *into);
    }
    let mut free = FREE_PLACES + 4 * scene.nodes.len();
    let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut pieces: BTreeSet<Piece> = BTreeSet::new();
    for (length, out, into, style, top, bottom) in lines {
        let shared = if at(&leave, out) >= at(&enter, into) { out } else { into };
        let first = at(&made.row_of, top);
        let new = (first + 1..first + length).filter(|row| !places.contains_key(&(shared, *row))).count();
        if new > free {
            made.detours.push(Detour { out, into, style });
            continue;
        }
        free -= new;
        let mut from = (top, Some(out));
        for row in first + 1..first + length {
            let place = *places.entry((shared, row)).or_insert_with(|| {
                made.row_of.push(row);
                made.row_of.len() - 1
            });
            pieces.insert(Piece { from: from.0, to: place, out: from.1, into: None, style });
            from = (place, None);
        }
        pieces.insert(Piece { from: from.0, to: bottom, out: from.1, into: Some(into), style });
    }
    made.pieces = pieces.into_iter().collect();
}

/// Sorts rows by the middle of what their boxes are joined to, down and up in turn, and keeps the best: first with
/// passing lines in the middle of fans, then as it comes.
fn sort(made: &mut Layers) {
    let first = made.rows.clone();
    let mut best = (usize::MAX, Vec::new());
    for even in [true, false] {
        made.rows.clone_from(&first);
        let mut place = positions(&made.rows, made.row_of.len());
        for sweep in 0..SWEEPS {
            if best.0 == 0 && (sweep > 1 || !even) {
                break;
            }
            sweep_once(made, &mut place, sweep % 2 == 0, even);
            let crossed = crossings(made, &place);
            if crossed < best.0 || (crossed == best.0 && even && sweep == 1) {
                best = (crossed, made.rows.clone());
            }
        }
    }
    made.rows = best.1;
}

fn sweep_once(made: &mut Layers, place: &mut [usize], down: bool, even: bool) {
    let count = made.rows.len();
    for step in 1..count {
        let row = if down { step } else { count - 1 - step };
        let joined = if down { &made.above } else { &made.below };
        let mut keyed: Vec<(f64, usize, usize)> = Vec::with_capacity(inner(&made.rows, row).len());
        for vertex in inner(&made.rows, row) {
            let ends = inner(joined, *vertex).iter().filter_map(|piece| made.pieces.get(*piece));
            let ends: Vec<usize> = ends.map(|piece| at(place, if down { piece.from } else { piece.to })).collect();
            let mine = at(place, *vertex);
            let middle = match ends.is_empty() {
                true => mine as f64,
                false => ends.iter().sum::<usize>() as f64 / ends.len() as f64,
            };
            keyed.push((middle, mine, *vertex));
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let keyed = if even { centred(keyed, made.boxes) } else { keyed };
        for (position, (.., vertex)) in keyed.iter().enumerate() {
            set(place, *vertex, position);
        }
        set(&mut made.rows, row, keyed.into_iter().map(|(.., vertex)| vertex).collect());
    }
}

/// Of those that could stand in any order, lines that pass go through the middle, so that a fan stays even.
fn centred(keyed: Vec<(f64, usize, usize)>, boxes: usize) -> Vec<(f64, usize, usize)> {
    let mut all = Vec::with_capacity(keyed.len());
    for tied in keyed.chunk_by(|a, b| a.0 == b.0) {
        let (still, passing): (Vec<_>, Vec<_>) = tied.iter().copied().partition(|(.., vertex)| *vertex < boxes);
        let half = still.len().div_ceil(2);
        all.extend(still.iter().take(half));
        all.extend(passing);
        all.extend(still.iter().skip(half));
    }
    all
}

fn positions(rows: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut place = vec![0; count];
    for row in rows {
        for (position, vertex) in row.iter().enumerate() {
            set(&mut place, *vertex, position);
        }
    }
    place
}

/// The number of pieces that cross.
fn crossings(made: &Layers, place: &[usize]) -> usize {
    let mut total = 0;
    for (row, boxes) in made.rows.iter().enumerate() {
        // Below the last row there is nothing.
        let below = made.rows.get(row + 1).map_or(0, Vec::len);
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for vertex in boxes {
            let pieces = inner(&made.below, *vertex).iter().filter_map(|piece| made.pieces.get(*piece));
            ends.extend(pieces.map(|piece| (at(place, piece.from), at(place, piece.to))));
        }
        ends.sort_unstable();
        // A tree of sums counts those that came before and end further right.
        let mut sums = vec![0_usize; below + 1];
        for (seen, (_, end)) in ends.iter().enumerate() {
            let (mut left, mut index) = (0, end + 1);
            while index > 0 {
                left += at(&sums, index);
                index &= index - 1;
            }
            total += seen - left;
            let mut index = end + 1;
            while index <= below {
                more(&mut sums, index);
                index += index & index.wrapping_neg();
            }
        }
    }
    total
}

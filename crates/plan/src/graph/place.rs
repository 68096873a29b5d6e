//! Places: rows of boxes get coordinates. Within a row nothing overlaps, and everything stands as near as it can to the
//! middle of what it is joined to.

use super::layers::Layers;
use super::lists::{at, inner, set};
use super::scene::{NodeKind, Scene};
use super::text::width;
use deed_diag::Invariant as _;

/// The size of labels of lines.
pub(super) const LABEL_SIZE: f64 = 10.5;
/// The most room for such a label.
pub(super) const LABEL_ROOM: f64 = 190.0;
/// From one row of labels to the next.
pub(super) const LABEL_STEP: f64 = 16.0;
/// Around the whole.
pub(super) const MARGIN: f64 = 28.0;
const SWEEPS: usize = 14;

/// A label of a line: its port, its middle, and its row counted from the box upwards.
pub(super) struct Tag {
    pub(super) port: usize,
    pub(super) x: f64,
    pub(super) row: usize,
}

/// Coordinates of everything. A box stands around its middle.
#[derive(Default)]
pub(super) struct Places {
    pub(super) x: Vec<f64>,
    /// Of ports, from the middle of their box.
    pub(super) shift: Vec<f64>,
    /// Of rows: where they begin and end, and where lines above them become straight.
    pub(super) top: Vec<f64>,
    pub(super) bottom: Vec<f64>,
    pub(super) straight: Vec<f64>,
    pub(super) tags: Vec<Tag>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The size of a box.
pub(super) fn size(kind: NodeKind) -> (f64, f64) {
    match kind {
        NodeKind::Given => (190.0, 40.0),
        NodeKind::Step(_) => (236.0, 66.0),
        NodeKind::Adapter => (178.0, 26.0),
        NodeKind::Gate => (290.0, 116.0),
    }
}

pub(super) fn places(scene: &Scene, layers: &Layers, head: f64) -> Places {
    let widths: Vec<f64> =
        (0..layers.row_of.len()).map(|vertex| scene.nodes.get(vertex).map_or(0.0, |node| size(node.kind).0)).collect();
    let mut places = Places { x: vec![0.0; widths.len()], shift: vec![0.0; layers.ports.len()], ..Places::default() };
    for row in &layers.rows {
        let offsets = offsets(row, &widths, layers.boxes);
        let half = offsets.last().copied().unwrap_or(0.0) / 2.0;
        for (vertex, offset) in row.iter().zip(&offsets) {
            set(&mut places.x, *vertex, offset - half);
        }
    }
    for sweep in 0..SWEEPS {
        if sweep == SWEEPS / 2 {
            ports(scene, layers, &mut places);
        }
        let count = layers.rows.len();
        for step in 0..count {
            let row = if sweep.is_multiple_of(2) { step } else { count - 1 - step };
            pull(layers, &mut places, &widths, row, sweep);
        }
    }
    ports(scene, layers, &mut places);
    labels(layers, &mut places);
    frame(&mut places, &widths, scene);
    heights(scene, layers, &mut places, head);
    places
}

/// The offsets of a row's boxes from the first one if they stand as close as they may.
fn offsets(row: &[usize], widths: &[f64], boxes: usize) -> Vec<f64> {
    let mut offsets: Vec<f64> = Vec::with_capacity(row.len());
    let mut last: Option<(usize, f64)> = None;
    for vertex in row {
        let offset = last.map_or(0.0, |(before, offset)| {
            let gap = match (before < boxes, *vertex < boxes) {
                (true, true) => 34.0,
                (false, false) => 14.0,
                _ => 20.0,
            };
            offset + (at(widths, before) + at(widths, *vertex)) / 2.0 + gap
        });
        offsets.push(offset);
        last = Some((*vertex, offset));
    }
    offsets
}

/// Moves a row to where its neighbours are, as near as their order and sizes let it (by pooling those that would
/// overlap).
fn pull(layers: &Layers, places: &mut Places, widths: &[f64], row: usize, sweep: usize) {
    let vertices = inner(&layers.rows, row);
    let offsets = offsets(vertices, widths, layers.boxes);
    let both = sweep + 4 >= SWEEPS;
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(vertices.len());
    for (vertex, offset) in vertices.iter().zip(&offsets) {
        let (mut sum, mut weight) = (0.0, 0.0);
        let mut add = |piece: usize, upwards: bool| {
            let piece = layers.pieces.get(piece).invariant("a piece of a line is one of the layout's");
            let (other, there, here) = match upwards {
                true => (piece.from, piece.out, piece.into),
                false => (piece.to, piece.into, piece.out),
            };
            let shift = |port: Option<usize>| port.map_or(0.0, |port| at(&places.shift, port));
            let strong = if other >= layers.boxes || *vertex >= layers.boxes { 3.0 } else { 1.0 };
            sum += strong * (at(&places.x, other) + shift(there) - shift(here));
            weight += strong;
        };
        if sweep.is_multiple_of(2) || both {
            inner(&layers.above, *vertex).iter().for_each(|piece| add(*piece, true));
        }
        if !sweep.is_multiple_of(2) || both {
            inner(&layers.below, *vertex).iter().for_each(|piece| add(*piece, false));
        }
        // A little towards the middle of the whole keeps long stairs together.
        let tie = if both { 0.0 } else { 0.04 * weight };
        let wanted = if weight > 0.0 { sum / (weight + tie) } else { at(&places.x, *vertex) };
        let weight = if *vertex >= layers.boxes {
            4.0
        } else if weight > 0.0 {
            1.0
        } else {
            0.2
        };
        let mut pool = (wanted - offset, weight, 1);
        while let Some(last) = pools.last().copied().filter(|last| last.0 > pool.0) {
            pools.pop();
            let weight = last.1 + pool.1;
            pool = ((last.0 * last.1 + pool.0 * pool.1) / weight, weight, last.2 + pool.2);
        }
        pools.push(pool);
    }
    let wanted = pools.iter().flat_map(|(value, _, count)| std::iter::repeat_n(*value, *count));
    for ((vertex, offset), value) in vertices.iter().zip(&offsets).zip(wanted) {
        set(&mut places.x, *vertex, value + offset);
    }
}

/// Ports stand along a side of their box, in the order of what they lead to.
fn ports(scene: &Scene, layers: &Layers, places: &mut Places) {
    let mut joined: Vec<(f64, usize)> = vec![(0.0, 0); layers.ports.len()];
    let mut add = |port: Option<usize>, x: f64| {
        if let Some((sum, count)) = port.and_then(|port| joined.get_mut(port)) {
            *sum += x;
            *count += 1;
        }
    };
    for piece in &layers.pieces {
        add(piece.out, at(&places.x, piece.to));
        add(piece.into, at(&places.x, piece.from));
    }
    let mut sides: Vec<(usize, bool, f64, usize)> = Vec::with_capacity(layers.ports.len());
    for (index, port) in layers.ports.iter().enumerate() {
        // Lines that go round by the side leave and enter at the right.
        let (sum, count) = at(&joined, index);
        sides.push((port.node, port.enters, if count > 0 { sum / count as f64 } else { f64::MAX }, index));
    }
    sides.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)));
    for side in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let kind = side.first().and_then(|first| scene.nodes.get(first.0)).map(|node| node.kind);
        let room = match kind {
            Some(NodeKind::Gate) | None => 0.0,
            Some(kind) => size(kind).0 * 0.86,
        };
        for (position, (.., port)) in side.iter().enumerate() {
            let part = (position as f64 + 1.0) / (side.len() as f64 + 1.0);
            set(&mut places.shift, *port, room * (part - 0.5));
        }
    }
}

/// Labels stand on their lines just above the box, in as many rows as it takes for none to cover another.
fn labels(layers: &Layers, places: &mut Places) {
    let mut by_row: Vec<Vec<(f64, usize)>> = vec![Vec::new(); layers.rows.len()];
    for (index, port) in layers.ports.iter().enumerate().filter(|(_, port)| port.enters && !port.label.is_empty()) {
        let x = at(&places.x, port.node) + at(&places.shift, index);
        super::lists::push(&mut by_row, at(&layers.row_of, port.node), (x, index));
    }
    for mut row in by_row {
        row.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut ends: Vec<f64> = Vec::new();
        for (x, port) in row {
            let label = layers.ports.get(port).map_or("", |port| port.label.as_str());
            let half = width(label, LABEL_SIZE).min(LABEL_ROOM) / 2.0 + 7.0;
            let level = ends.iter().position(|end| *end < x - half).unwrap_or(ends.len());
            ends.resize(ends.len().max(level + 1), f64::MIN);
            set(&mut ends, level, x + half);
            places.tags.push(Tag { port, x, row: level });
        }
    }
}

/// The whole begins at the margin.
fn frame(places: &mut Places, widths: &[f64], scene: &Scene) {
    let mut span = (f64::MAX, f64::MIN);
    let mut cover = |x: f64, half: f64| span = (span.0.min(x - half), span.1.max(x + half));
    places.x.iter().zip(widths).for_each(|(x, width)| cover(*x, width / 2.0));
    places.tags.iter().for_each(|tag| cover(tag.x, LABEL_ROOM / 2.0));
    if scene.nodes.is_empty() {
        cover(0.0, 100.0);
    }
    let move_by = MARGIN - span.0;
    places.x.iter_mut().for_each(|x| *x += move_by);
    places.tags.iter_mut().for_each(|tag| tag.x += move_by);
    places.width = span.1 - span.0 + 2.0 * MARGIN;
}

/// Rows from the top down, further apart where lines go far to the side or have labels.
fn heights(scene: &Scene, layers: &Layers, places: &mut Places, head: f64) {
    let mut levels = vec![0_usize; layers.rows.len()];
    for tag in &places.tags {
        let row = layers.ports.get(tag.port).map_or(0, |port| at(&layers.row_of, port.node));
        let most = at(&levels, row).max(tag.row + 1);
        set(&mut levels, row, most);
    }
    let mut y = head;
    for (index, row) in layers.rows.iter().enumerate() {
        if index > 0 {
            let pieces = row.iter().flat_map(|vertex| inner(&layers.above, *vertex));
            let far = pieces.filter_map(|piece| layers.pieces.get(*piece));
            let far = far.map(|piece| (at(&places.x, piece.from) - at(&places.x, piece.to)).abs()).fold(0.0, f64::max);
            y += (30.0 + far * 0.07).min(130.0);
        }
        places.straight.push(y);
        y += at(&levels, index) as f64 * LABEL_STEP + 14.0;
        places.top.push(y);
        let tallest = row.iter().filter_map(|vertex| scene.nodes.get(*vertex)).map(|node| size(node.kind).1);
        y += tallest.fold(0.0, f64::max);
        places.bottom.push(y);
    }
    places.height = y + MARGIN;
}

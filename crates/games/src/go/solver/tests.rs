use super::*;
use super::table::Table;

fn empty(rows: usize, columns: usize, table: u64, folding: Folding) -> (i32, u64) {
    let grid = Grid::new(rows, columns);
    let stop = AtomicBool::new(false);
    let mut effort = Effort { stop: &stop, deadline: None, node_limit: 300_000_000, nodes: 0 };
    let mut table = (table > 0).then(|| Table::new(table));
    let past: Vec<Stones> = vec![];
    let mut search = Search::new(&grid, table.as_mut(), folding, &past, &mut effort);
    let root = Node { stones: [0; 2], turn: 0, passed: false, ko: node::NOWHERE };
    let time = Instant::now();
    let lead = lead_of(&mut search, &root);
    let nodes = effort.nodes;
    eprintln!("{rows}x{columns} {folding:?}: {lead:?} {nodes} nodes {:?}", time.elapsed());
    if let Some(table) = &table { eprintln!("{:?}", table.report); }
    (lead.unwrap().0, nodes)
}

#[test]
fn two() {
    for n in 1..7 { empty(1, n, 1 << 26, Folding::Symmetries); }
    empty(2, 2, 1 << 26, Folding::Symmetries);
    empty(2, 2, 1 << 26, Folding::None);
    empty(2, 2, 0, Folding::None);
    empty(2, 3, 1 << 26, Folding::Symmetries);
}
#[test]
fn three() {
    empty(3, 3, 1 << 26, Folding::Symmetries);
    empty(3, 3, 1 << 26, Folding::None);
    empty(3, 3, 0, Folding::None);
}
#[test]
fn four() {
    empty(4, 4, 1 << 28, Folding::Symmetries);
}

//! Benchmark of reading and writing game records, on generated files:
//! `cargo run --release -p ludus-formats --example speed`

use ludus_core::Random;
use ludus_formats::{Format, GameResult, Record, RecordNode, WriteOptions};
use std::time::Instant;

const FILE_BYTES: usize = 64 << 20;
const RUNS: usize = 5;

fn main() {
    let mut random = Random::new(1);
    for (name, commented) in [("bare", false), ("commented", true)] {
        for format in Format::ALL {
            let mut text = String::with_capacity(FILE_BYTES + (1 << 16));
            while text.len() < FILE_BYTES {
                let record = generated_game(&mut random, commented);
                text += &format.write(&record, &WriteOptions::default());
            }
            let games = format.read(text.as_bytes()).map(Result::unwrap);
            let records: Vec<Record> = games.take(2_000).collect();
            let megabytes = text.len() as f64 / 1e6;
            let read =
                best(|| format.read(text.as_bytes()).map(|game| game.unwrap().node_count()).sum());
            let mut written = 0;
            let write = best(|| {
                let options = WriteOptions::default();
                written = records.iter().map(|record| format.write(record, &options).len()).sum();
                written
            });
            let write_speed = written as f64 / 1e6 / write;
            println!(
                "{} {name}: read {:.0} MB/s, write {write_speed:.0} MB/s",
                format.name(),
                megabytes / read
            );
        }
    }
}

/// The time of the fastest of several runs, in seconds.
fn best(mut run: impl FnMut() -> usize) -> f64 {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        assert!(std::hint::black_box(run()) > 0);
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn generated_game(random: &mut Random, commented: bool) -> Record {
    let mut record = Record::new();
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "ECO"] {
        record.set_tag(name, format!("{name} {}", random.below(10_000)));
    }
    let mut end = Record::ROOT;
    for _ in 0..40 + random.below(80) {
        let piece = ["", "N", "B", "R", "Q", "K"][random.below(6)];
        let file = char::from(b'a' + random.below(8) as u8);
        let mut node = RecordNode::of_move(format!("{piece}{file}{}", 1 + random.below(8)));
        if commented {
            node.comments.push(format!(
                "[%eval 0.{}] [%clk 0:0{}:12]",
                random.below(99),
                random.below(9)
            ));
        }
        if commented && random.below(10) == 0 {
            record.add(end, RecordNode::of_move("Nf3"));
        }
        end = record.add(end, node);
    }
    record.result = GameResult::from("1-0");
    record
}

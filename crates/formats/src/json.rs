//! Serialisation of records. The tree is flat, so that its depth does not matter to JSON parsers:
//!
//! ```json
//! {"tags": [["White", "A"]], "result": "1-0",
//!  "moves": [{"move": "e4"}, {"move": "e5"}, {"move": "c5", "parent": 1}]}
//! ```
//!
//! Moves are numbered from 1; a move follows the previous one unless `parent` says otherwise (0 is
//! the start of the game). Children of one parent are in order, the main line first.

use crate::{GameResult, NodeId, Record, RecordNode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

#[derive(Serialize)]
struct Written<'a> {
    tags: &'a [(String, String)],
    result: &'a GameResult,
    #[serde(skip_serializing_if = "is_bare")]
    root: &'a RecordNode,
    moves: Vec<WrittenMove<'a>>,
}

#[derive(Serialize)]
struct WrittenMove<'a> {
    #[serde(flatten)]
    node: &'a RecordNode,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
}

#[derive(Deserialize)]
struct Read {
    #[serde(default)]
    tags: Vec<(String, String)>,
    #[serde(default)]
    result: GameResult,
    #[serde(default)]
    root: RecordNode,
    #[serde(default)]
    moves: Vec<ReadMove>,
}

#[derive(Deserialize)]
struct ReadMove {
    #[serde(flatten)]
    node: RecordNode,
    parent: Option<usize>,
}

fn is_bare(node: &&RecordNode) -> bool {
    **node == RecordNode::default()
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut numbers = vec![0; self.node_count()];
        let mut moves = Vec::with_capacity(self.node_count() - 1);
        for (number, id) in self.preorder().enumerate().skip(1) {
            numbers[id.index()] = number;
            let parent = self.parent(id).map(|parent| numbers[parent.index()]);
            let parent = parent.filter(|&parent| parent + 1 != number);
            moves.push(WrittenMove { node: &self[id], parent });
        }
        let Record { tags, result, .. } = self;
        Written { tags, result, root: self.root(), moves }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let Read { tags, result, root, moves } = Read::deserialize(deserializer)?;
        let mut record = Record::new();
        (record.tags, record.result) = (tags, result);
        if !root.mv.is_empty() {
            return Err(D::Error::custom("the root of a record has no move"));
        }
        record[Record::ROOT] = root;
        for ReadMove { node, parent } in moves {
            let number = record.node_count();
            let parent = NodeId::at(parent.unwrap_or(number - 1), &record).ok_or_else(|| {
                D::Error::custom(format!("move {number}: its parent must come before it"))
            })?;
            record.add(parent, node);
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_flat_list_of_moves() {
        let mut record = Record::new();
        record.set_tag("White", "A");
        record.result = GameResult::from("1-0");
        let e4 = record.push("e4");
        record.add(Record::ROOT, RecordNode { nags: vec![1], ..RecordNode::of_move("d4") });
        record.add(e4, RecordNode::of_move("e5"));
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(
            text,
            "{\"tags\":[[\"White\",\"A\"]],\"result\":\"1-0\",\"moves\":[{\"move\":\"e4\"},\
             {\"move\":\"e5\"},{\"move\":\"d4\",\"nags\":[1],\"parent\":0}]}"
        );
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }

    #[test]
    fn links_that_lead_nowhere_are_refused() {
        let text = "{\"moves\":[{\"move\":\"e4\"},{\"move\":\"e5\",\"parent\":2}]}";
        let error = serde_json::from_str::<Record>(text).unwrap_err().to_string();
        assert!(error.contains("move 2: its parent must come before it"), "{error}");
        assert!(serde_json::from_str::<Record>("{\"root\":{\"move\":\"e4\"}}").is_err());
        assert_eq!(serde_json::from_str::<Record>("{}").unwrap(), Record::new());
    }
}

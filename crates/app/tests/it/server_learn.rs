//! Articles about players and algorithms over HTTP.

use crate::served::Served;
use serde_json::json;

#[test]
fn every_page_of_the_list_is_there() {
    let server = Served::start();
    let list = server.got("/api/learn");
    let list = list.as_array().unwrap();
    assert!(list.len() >= 30);
    for entry in list {
        let page = server.got(&format!("/api/learn/{}", entry["id"].as_str().unwrap()));
        assert_eq!(page["title"], entry["title"]);
        assert!(page["idea"].as_array().unwrap().len() >= 2, "{}", entry["id"]);
        assert!(page["figures"].is_array());
    }
    for path in ["/api/learn/none", "/api/learn/..%2fx"] {
        let (status, body) = server.get(path);
        assert_eq!(status, 404);
        assert_ne!(body["error"]["message"], json!(null));
    }
}

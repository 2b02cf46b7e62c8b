//! Checks responses and WebSocket messages against the server's OpenAPI description.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// An OpenAPI document.
pub struct Description(pub Value);

impl Description {
    /// Panics if a status or a JSON response is not as described. Requests that are not described are not checked.
    #[track_caller]
    pub fn check_response(&self, method: &str, path: &str, status: u16, body: &Value) {
        let path = path.split('?').next().unwrap_or(path);
        let items = self.0["paths"].as_object().expect("described paths");
        let Some((_, item)) = items.iter().find(|(template, _)| fits(template, path)) else {
            return;
        };
        let response = &item[method.to_lowercase()]["responses"][status.to_string()];
        let is_described = response.is_object() || status == 405;
        assert!(is_described, "{method} {path}: status {status} is not described");
        let schema = &response["content"]["application/json"]["schema"];
        if schema.is_object() {
            self.check(schema, body, &format!("{method} {path}"));
        }
    }

    /// Panics if a message of the WebSocket at `path` is not as described.
    #[track_caller]
    pub fn check_message(&self, path: &str, message: &Value) {
        let parts: Vec<&str> = path.split('?').next().unwrap_or(path).split('/').collect();
        let name = match parts[..] {
            ["", "api", "tables", _, "live"] => "LiveGameMessage",
            ["", "api", "contests", _, "live"] => "ContestMessage",
            ["", "api", "runs", _, "live"] => "RunMessage",
            ["", "api", "analysis"] => "AnalysisMessage",
            _ => panic!("no messages of {path} are described"),
        };
        self.check(&self.0["components"]["schemas"][name], message, path);
    }

    #[track_caller]
    fn check(&self, schema: &Value, value: &Value, place: &str) {
        if let Some(problem) = self.problem(schema, value) {
            panic!("{place} is not as described: {problem}");
        }
    }

    /// The first difference between a value and its schema.
    fn problem(&self, schema: &Value, value: &Value) -> Option<String> {
        let schema = self.resolved(schema);
        if let Some(parts) = schema["allOf"].as_array() {
            let known = self.property_names(schema);
            return parts
                .iter()
                .find_map(|part| self.problem_but_names(part, value))
                .or_else(|| unknown_name(value, &known));
        }
        self.problem_but_names(schema, value)
            .or_else(|| unknown_name(value, &self.property_names(schema)))
    }

    /// The first difference, apart from properties that are not described.
    fn problem_but_names(&self, schema: &Value, value: &Value) -> Option<String> {
        let schema = self.resolved(schema);
        if let Some(parts) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
            let problems: Vec<_> = parts.iter().map(|part| self.problem(part, value)).collect();
            let fits = problems.iter().any(Option::is_none);
            return (!fits).then(|| format!("no alternative fits: {problems:?}"));
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return parts.iter().find_map(|part| self.problem_but_names(part, value));
        }
        if let Some(values) = schema["enum"].as_array() {
            return (!values.contains(value))
                .then(|| format!("{value}: expected one of {values:?}"));
        }
        if !has_type(&schema["type"], value) {
            return Some(format!("{value}: expected {}", schema["type"]));
        }
        match value {
            Value::Array(items) => self.problem_of_items(schema, items),
            Value::Object(fields) => self.problem_of_fields(schema, fields),
            _ => None,
        }
    }

    fn problem_of_items(&self, schema: &Value, items: &[Value]) -> Option<String> {
        if let Some(schemas) = schema["prefixItems"].as_array() {
            return schemas.iter().zip(items).find_map(|(one, item)| self.problem(one, item));
        }
        let schema = &schema["items"];
        items.iter().enumerate().find_map(|(index, item)| {
            self.problem(schema, item).map(|problem| format!("[{index}] {problem}"))
        })
    }

    fn problem_of_fields(&self, schema: &Value, fields: &Map<String, Value>) -> Option<String> {
        let mut required = schema["required"].as_array().into_iter().flatten();
        let missing = required.find(|name| !fields.contains_key(name.as_str().unwrap_or_default()));
        if let Some(name) = missing {
            return Some(format!("{name} is missing"));
        }
        let properties = schema["properties"].as_object()?;
        fields.iter().find_map(|(name, value)| {
            let problem = self.problem(properties.get(name)?, value)?;
            Some(format!("{name}: {problem}"))
        })
    }

    /// Described properties; `None` if any name is allowed.
    fn property_names(&self, schema: &Value) -> Option<BTreeSet<String>> {
        let schema = self.resolved(schema);
        if let Some(parts) = schema["allOf"].as_array() {
            let names: Option<Vec<_>> =
                parts.iter().map(|part| self.property_names(part)).collect();
            return names.map(|names| names.into_iter().flatten().collect());
        }
        schema["properties"].as_object().map(|properties| properties.keys().cloned().collect())
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let Some(target) = schema["$ref"].as_str() else { return schema };
        let name = target.rsplit('/').next().expect("the name of a schema");
        self.resolved(&self.0["components"]["schemas"][name])
    }
}

/// Whether a path fits a template such as `/api/tables/{id}`.
fn fits(template: &str, path: &str) -> bool {
    let parts = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (template, path) = (parts(template), parts(path));
    template.len() == path.len()
        && template.iter().zip(&path).all(|(one, other)| one == other || one.starts_with('{'))
}

fn has_type(kinds: &Value, value: &Value) -> bool {
    let kinds = kinds.as_array().cloned().unwrap_or_else(|| vec![kinds.clone()]);
    kinds.iter().any(|kind| match kind.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => true,
    })
}

fn unknown_name(value: &Value, known: &Option<BTreeSet<String>>) -> Option<String> {
    let (fields, known) = (value.as_object()?, known.as_ref()?);
    let unknown = fields.keys().find(|name| !known.contains(*name))?;
    Some(format!("{unknown} is not described"))
}

#[test]
fn differences_are_found() {
    let schemas = serde_json::json!({
        "Point": {
            "type": "object",
            "required": ["x"],
            "properties": { "x": { "type": ["number", "null"] }, "kind": { "enum": ["a", "b"] } },
        },
        "Named": { "allOf": [
            { "$ref": "#/components/schemas/Point" },
            { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
        ] },
    });
    let document = serde_json::json!({ "components": { "schemas": schemas } });
    let description = Description(document.clone());
    let problem = |name: &str, value: &str| {
        let value = serde_json::from_str(value).unwrap();
        description.problem(&document["components"]["schemas"][name], &value)
    };
    assert_eq!(problem("Point", r#"{"x": 1.5, "kind": "a"}"#), None);
    assert_eq!(problem("Named", r#"{"x": null, "name": "n"}"#), None);
    for (name, value) in [
        ("Point", r#"{"kind": "a"}"#),
        ("Point", r#"{"x": "1"}"#),
        ("Point", r#"{"x": 1, "kind": "c"}"#),
        ("Point", r#"{"x": 1, "y": 2}"#),
        ("Named", r#"{"x": 1}"#),
        ("Named", r#"{"x": 1, "name": "n", "other": 0}"#),
    ] {
        assert!(problem(name, value).is_some(), "{name} {value}");
    }
}

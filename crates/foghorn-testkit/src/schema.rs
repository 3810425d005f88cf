//! JSON against a JSON Schema: the part of draft 7 that our own schema and that of SARIF use.

use serde_json::{Map, Value};

/// Keywords that say nothing about a value, or nothing that is checked here.
const SILENT: [&str; 11] = [
    "$id",
    "$schema",
    "default",
    "definitions",
    "$defs",
    "description",
    "examples",
    "format",
    "pattern",
    "title",
    "$comment",
];

/// A schema.
pub struct Schema {
    root: Value,
    /// Whether fields that no schema names are refused everywhere.
    is_closed: bool,
}

impl Schema {
    /// Panics if the text is not JSON.
    pub fn new(text: &str) -> Self {
        let root = serde_json::from_str(text).expect("the schema is JSON");
        let is_closed = false;
        Schema { root, is_closed }
    }

    /// The same, which also refuses fields that it does not name.
    #[must_use]
    pub fn closed(self) -> Self {
        Schema {
            is_closed: true,
            ..self
        }
    }

    /// `Err` with the first place that does not fit.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at(value, &self.root, "$")
    }

    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(path) => {
                let pointer = path.strip_prefix('#').expect("a local reference");
                self.root.pointer(pointer).expect("a definition")
            }
            None => schema,
        }
    }

    /// The properties that a schema and those it includes name.
    fn properties(&self, schema: &Value) -> Map<String, Value> {
        let own = schema["properties"].as_object().cloned();
        let mut all = own.unwrap_or_default();
        for part in schema["allOf"].as_array().into_iter().flatten() {
            all.extend(self.properties(self.resolve(part)));
        }
        all
    }

    fn check_at(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let schema = self.resolve(schema);
        let Some(keywords) = schema.as_object() else {
            return match schema {
                Value::Bool(false) => Err(format!("{at}: nothing may stand here")),
                _ => Ok(()),
            };
        };
        for (keyword, says) in keywords {
            self.check_keyword(value, keyword, says, at)?;
        }
        self.check_fields(value, schema, at)
    }

    fn check_keyword(
        &self,
        value: &Value,
        keyword: &str,
        says: &Value,
        at: &str,
    ) -> Result<(), String> {
        let options = || says.as_array().into_iter().flatten();
        let fitting = || options().filter(|it| self.check_at(value, it, at).is_ok());
        let items = || value.as_array().into_iter().flatten();
        let fits = match keyword {
            "type" => has_type(value, says),
            "enum" => options().any(|it| it == value),
            "const" => says == value,
            "required" => match value.as_object() {
                Some(fields) => options().all(|it| fields.contains_key(it.as_str().unwrap_or(""))),
                None => true,
            },
            "oneOf" => fitting().count() == 1,
            "anyOf" => fitting().count() > 0,
            "minimum" => number(value).is_none_or(|it| it >= number(says).unwrap_or(it)),
            "maximum" => number(value).is_none_or(|it| it <= number(says).unwrap_or(it)),
            "minItems" => !value.is_array() || items().count() as u64 >= says.as_u64().unwrap_or(0),
            "uniqueItems" => {
                let all: Vec<&Value> = items().collect();
                (1..all.len()).all(|end| !all[..end].contains(&all[end]))
            }
            "items" => {
                for (index, item) in items().enumerate() {
                    self.check_at(item, says, &format!("{at}[{index}]"))?;
                }
                true
            }
            "allOf" => {
                for part in options() {
                    self.check_part(value, part, at)?;
                }
                true
            }
            "properties" | "additionalProperties" => true,
            silent if SILENT.contains(&silent) => true,
            other => panic!("the schema has a keyword {other}"),
        };
        match fits {
            true => Ok(()),
            false => Err(format!("{at}: {value} is not {keyword} {says}")),
        }
    }

    /// A schema that another one includes: the fields are looked at there.
    fn check_part(&self, value: &Value, part: &Value, at: &str) -> Result<(), String> {
        let part = self.resolve(part).as_object().expect("an object");
        let own = part.iter().filter(|(keyword, _)| *keyword != "properties");
        for (keyword, says) in own {
            self.check_keyword(value, keyword, says, at)?;
        }
        Ok(())
    }

    fn check_fields(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let properties = self.properties(schema);
        let Some(fields) = value.as_object() else {
            return Ok(());
        };
        let is_closed = self.is_closed && !properties.is_empty();
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match (properties.get(name), &schema["additionalProperties"]) {
                (Some(described), _) => self.check_at(field, described, &at)?,
                (None, Value::Bool(false)) => return Err(format!("{at}: not described")),
                (None, Value::Null) if is_closed => return Err(format!("{at}: not described")),
                (None, Value::Null) => {}
                (None, others) => self.check_at(field, others, &at)?,
            }
        }
        Ok(())
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn has_type(value: &Value, says: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema has a type {other}"),
    };
    match says {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        other => panic!("the schema has a type {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_refused() {
        let text = r##"{"type": "object", "required": ["a"], "additionalProperties": false, "properties": {
            "a": {"$ref": "#/definitions/count"}, "b": {"items": {"enum": ["x", "y"]}, "uniqueItems": true}},
            "definitions": {"count": {"type": "integer", "minimum": 1}}}"##;
        let schema = Schema::new(text);
        let fits = |value: Value| schema.check(&value).is_ok();
        assert!(fits(json!({"a": 1, "b": ["x", "y"]})));
        assert!(!fits(json!({"a": 0})));
        assert!(!fits(json!({"a": "1"})));
        assert!(!fits(json!({"b": []})));
        assert!(!fits(json!({"a": 1, "c": 1})));
        assert!(!fits(json!({"a": 1, "b": ["z"]})));
        assert!(!fits(json!({"a": 1, "b": ["x", "x"]})));
        assert!(!fits(json!([])));
    }
}

//! `perft generate schema`: the JSON schema of everything that `--json` prints.

use std::io::Write;
use std::process::ExitCode;

use crate::output::error::CliError;

/// Examples for the help.
pub const EXAMPLES: &str = "\
Examples:
  perft generate schema > perft.schema.json                for a validator in your CI
  perft generate schema | jq '.\"$defs\" | keys'             the names of its definitions";

/// Runs the command.
pub fn run(out: &mut impl Write) -> Result<ExitCode, CliError> {
    out.write_all(SCHEMA.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The schema of the reports of this build, as JSON.
pub const SCHEMA: &str = include_str!("../../../docs/schema/perft.json");

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use schemars::generate::SchemaSettings;
    use schemars::transform::{RecursiveTransform, Transform};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::commands::{
        bench, campaign, count, diagnose, divide, estimate, hunt, list, probe, stats, suite, unique,
    };
    use crate::output::{Report, SCHEMA_VERSION};

    /// The definitions of all reports.
    struct Reports {
        generator: SchemaGenerator,
        definitions: Map<String, Value>,
    }

    impl Reports {
        /// Adds the definition of a report. Its first field says which one it is.
        fn add<R: Report + JsonSchema>(mut self) -> Reports {
            let mut schema = R::json_schema(&mut self.generator);
            let fields = schema.ensure_object().entry("properties").or_insert_with(|| json!({}));
            let fields = fields.as_object_mut().expect("a report has fields");
            let name = json!({"const": R::NAME, "description": "Which report this is."});
            fields.insert("report".to_owned(), name);
            let required = schema.ensure_object().entry("required").or_insert_with(|| json!([]));
            required.as_array_mut().expect("a list").insert(0, json!("report"));
            let earlier = self.definitions.insert(R::NAME.to_owned(), schema.to_value());
            assert!(earlier.is_none(), "two reports are called {}", R::NAME);
            self
        }
    }

    /// Returns the schema of all reports.
    fn generated() -> Value {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let Reports { mut generator, mut definitions } = Reports { generator, definitions: Map::new() }
            .add::<count::report::CountReport>()
            .add::<divide::report::DivideReport>()
            .add::<divide::kinds::DivideKindsReport>()
            .add::<divide::comparison::DivideComparison>()
            .add::<unique::report::UniqueReport>()
            .add::<stats::report::StatisticsReport>()
            .add::<estimate::report::EstimateReport>()
            .add::<suite::report::SuitesReport>()
            .add::<hunt::report::HuntReport>()
            .add::<hunt::state_report::StatesReport>()
            .add::<hunt::difference_report::DifferencesReport>()
            .add::<diagnose::report::DiagnoseReport>()
            .add::<diagnose::report::CatalogueReport>()
            .add::<probe::report::ProbeReport>()
            .add::<list::engines::EnginesReport>()
            .add::<hunt::generators_report::GeneratorsReport>()
            .add::<bench::report::BenchReport>()
            .add::<campaign::report::MergeReport>()
            .add::<list::generators::GeneratorsReport>()
            .add::<list::positions::PositionsReport>();
        let reports: Vec<Value> =
            definitions.keys().map(|name| json!({"$ref": format!("#/$defs/{name}")})).collect();
        definitions.extend(generator.take_definitions(true));
        let mut schema = json_schema!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The JSON of perft",
            "description": format!("The JSON that perft prints, in version {SCHEMA_VERSION} of the schema."),
            "oneOf": reports,
            "$defs": definitions,
        });
        RecursiveTransform(write_for_readers_of_json).transform(&mut schema);
        schema.to_value()
    }

    /// Removes details that only matter in Rust: links and `None` in descriptions, and formats such as `uint32`. Some
    /// validators refuse formats that are not part of JSON Schema.
    fn write_for_readers_of_json(schema: &mut Schema) {
        if schema.get("format").is_some_and(|format| format != "date-time") {
            schema.remove("format");
        }
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("[`", "`").replace("`]", "`").replace("`None`", "`null`");
        }
    }

    #[test]
    fn the_schema_is_that_of_the_types() {
        let text = format!("{:#}\n", generated());
        if std::env::var_os("PERFT_UPDATE_SCHEMA").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/perft.json");
            return std::fs::write(path, &text).unwrap();
        }
        let is_current = text == SCHEMA;
        assert!(is_current, "run PERFT_UPDATE_SCHEMA=1 cargo test --lib schema");
    }

    /// The types that a field can have, without `null`.
    type Types = BTreeSet<String>;

    /// Returns the types that a schema allows.
    fn types(schema: &Value, definitions: &Value) -> Types {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            return types(&definitions[reference.trim_start_matches("#/$defs/")], definitions);
        }
        let choices = ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema.get(choice)?.as_array());
        let mut all: Types = choices.flatten().flat_map(|choice| types(choice, definitions)).collect();
        match &schema["type"] {
            Value::String(one) => _ = all.insert(one.clone()),
            Value::Array(several) => all.extend(several.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ if schema.get("const").is_some() => _ = all.insert("string".to_owned()),
            _ => {}
        }
        all.remove("null");
        all
    }

    /// Collects the types of all fields in a schema and its parts, by their names.
    fn collect_types(schema: &Value, definitions: &Value, found: &mut BTreeMap<String, BTreeSet<Types>>) {
        if let Some(Value::Object(fields)) = schema.get("properties") {
            for (name, field) in fields {
                found.entry(name.clone()).or_default().insert(types(field, definitions));
            }
        }
        let parts = schema.as_object().map(|object| object.values().collect::<Vec<_>>());
        let parts = parts.or_else(|| schema.as_array().map(|array| array.iter().collect()));
        parts.into_iter().flatten().for_each(|part| collect_types(part, definitions, found));
    }

    #[test]
    fn a_name_has_the_same_type_in_all_reports() {
        let schema = generated();
        let mut found = BTreeMap::new();
        collect_types(&schema, &schema["$defs"], &mut found);
        assert!(found.len() > 200, "{found:?}");
        for (name, types) in &found {
            assert!(types.len() == 1 && types.iter().all(|types| types.len() == 1), "{name}: {types:?}");
        }
        let is_style_of_rust = |name: &&String| name.starts_with("is_") || name.starts_with("has_");
        assert_eq!(found.keys().find(is_style_of_rust), None);
        for (name, of_type) in [("position", "object"), ("interval", "object"), ("depth", "integer")] {
            assert_eq!(found[name], BTreeSet::from([Types::from([of_type.to_owned()])]), "{name}");
        }
    }
}

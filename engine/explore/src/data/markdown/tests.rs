#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use base::profile::Profile;

use crate::{Exploration, Input, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

#[test]
fn structure_comes_from_the_syntax_and_not_from_marks() {
    let text = "---\ntitle: A tale\ntags: [x, \"y z\"]\nlayout: post\n---\n# One `code` #\n\nTwo\n---\n\n\
                ```py title\n# no heading [no](link)\n```\n\n    indented\n\n\
                [in](a.md) [out](https://e.org) [here](#x) ![pic](p.png) [ref][r] <me@e.org>\n\n\
                [r]: https://r.org\n\n- [x] done\n- [ ] open\n\n> quote\n\n|a|b|\n|-|-|\n|1|2|\n\n***\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let found = look("a.md", text.as_bytes());
        let fields = &found.fields;
        assert_eq!(found.explorer_used, "markdown");
        assert_eq!(fields["frontmatter"]["title"], "A tale");
        assert_eq!(fields["frontmatter"]["tags"], serde_json::json!(["x", "y z"]));
        assert_eq!(fields["frontmatter"]["other_keys"], serde_json::json!(["layout"]));
        assert_eq!(
            fields["headings"],
            serde_json::json!([
                {"level": 1, "text": "One `code`", "line": 6},
                {"level": 2, "text": "Two", "line": 8},
            ])
        );
        assert_eq!(fields["code_language_histogram"], serde_json::json!({"py": 1}));
        assert_eq!((&fields["code_block_count"], &fields["fence_count"]), (&2.into(), &1.into()));
        assert_eq!(fields["code_blocks"][0]["line"], 11);
        assert_eq!(fields["link_count"], 5);
        assert_eq!(
            (&fields["internal_link_count"], &fields["external_link_count"]),
            (&1.into(), &3.into())
        );
        assert_eq!((&fields["anchor_link_count"], &fields["image_count"]), (&1.into(), &1.into()));
        assert_eq!(fields["references"][0]["url"], "https://r.org");
        let special = &fields["special_elements"];
        assert_eq!((&special["tables"], &special["task_lists"]), (&1.into(), &1.into()));
        assert_eq!((&special["blockquotes"], &special["horizontal_rules"]), (&1.into(), &1.into()));
        assert!(found.malformed.is_none());
    }
}

#[test]
fn a_capped_list_says_how_many_it_leaves_out() {
    for (count, marker) in [
        (15, None),
        (16, Some("... and 1 more headings")),
        (150, Some("... and 135 more headings")),
    ] {
        let text = (0..count).map(|index| format!("# h{index}\n")).collect::<String>();
        let input = Input::memory("a.md", text.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Parity);
        assert_eq!(found.truncated.len(), usize::from(marker.is_some()));
        assert_eq!(found.fields["headings"].as_array().unwrap().len(), count);
        if let Some(marker) = marker {
            assert!(found.summary.contains(marker), "{}", found.summary);
            assert_eq!((found.truncated[0].shown, found.truncated[0].total), (15, count));
        }
    }
}

#[test]
fn a_hundred_thousand_nested_quotes_are_read_within_bounds() {
    for text in ["> ".repeat(100_000) + "x", "[".repeat(100_000), "- ".repeat(20_000) + "x"] {
        assert!(look("a.md", text.as_bytes()).success);
    }
}

#[test]
fn an_empty_file_and_a_rule_that_is_no_front_matter_are_read() {
    assert!(look("a.md", b"").summary.contains("The file is empty."));
    let found = look("a.md", b"---\njust words\n---\n");
    assert_eq!(found.fields["has_frontmatter"], false);
    let found = look("a.mdx", b"import A from './a'\n\n<A />\n");
    assert_eq!(found.fields["mdx"]["component_usages"], serde_json::json!(["A"]));
}

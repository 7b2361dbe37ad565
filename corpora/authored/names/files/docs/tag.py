from src.json.tag import tag_value

tag_value()

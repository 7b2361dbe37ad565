#!/bin/sh
# The program of Codex for this system; the lock has one for each.
here=$(dirname "$0")/node_modules/@openai
exec "$here"/codex-linux-*/vendor/*/bin/codex "$@"

#!/bin/sh
# The program of Claude Code for this system; the lock has one for each.
here=$(dirname "$0")/node_modules/@anthropic-ai
exec "$here"/claude-code-linux-*/claude "$@"

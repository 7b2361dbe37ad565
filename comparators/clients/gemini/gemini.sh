#!/bin/sh
# Gemini CLI, run by the Node.js beside it; the lock has one for each processor.
here=$(dirname "$0")/node_modules
exec "$here"/node-linux-*/bin/node "$here/@google/gemini-cli/bundle/gemini.js" "$@"

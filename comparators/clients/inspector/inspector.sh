#!/bin/sh
# The Inspector's command line, run by the Node.js beside it; the lock has one for each processor.
here=$(dirname "$0")/node_modules
set -- "$here/@modelcontextprotocol/inspector/clients/launcher/build/index.js" --cli "$@"
exec "$here"/node-linux-*/bin/node "$@"

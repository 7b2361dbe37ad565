#!/bin/sh
# Our runner of the scenarios, run by the Node.js beside it; the lock has one for each processor.
here=$(dirname "$0")
exec "$here"/node_modules/node-linux-*/bin/node "$here/conformance.js" "$@"

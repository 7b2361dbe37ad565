# `just` lists the recipes. Every recipe also works without just, typed as it stands.

_list:
    @just --list --unsorted

# Run the smoke set: all set-up, the comparator, the verdict, a signed bundle.
smoke:
    cargo parity run --set smoke

# Run the gates of the parity profile over a set: the full one, or `just parity smoke`.
parity SET="full":
    cargo parity run --set {{SET}}

# Nightly: the steps of harness/nightly.toml, which take hours, and their dated record in records/nightly.
nightly:
    -cargo parity nightly run
    cargo parity nightly record

# After `just parity`: run the gates of the enhancement profile, and verify both bundles together.
exceed SET="full":
    cargo parity run --set {{SET}} --profile enhancement
    cargo parity verify --claim exceed "$(cat artifacts/latest-bundle-parity)" --exceed "$(cat artifacts/latest-bundle-enhancement)"

# Check prerequisites, comparator and protocol before a run.
preflight:
    cargo parity preflight

# Drift audit: languages, queries and grammars, and the tags of every file of a set.
audit SET="smoke":
    cargo parity audit check
    cargo parity audit tokens --set {{SET}}
    cargo parity audit verify --set {{SET}}

# Score explorations of a set against the gold (gates B1 and B2), in both profiles.
score SET="smoke":
    cargo parity score --set {{SET}}
    cargo parity score --set {{SET}} --profile enhancement

# Verify a sign-off bundle.
verify BUNDLE:
    cargo parity verify {{BUNDLE}}

# Show the report of a run.
report RUN:
    cargo parity report {{RUN}}

# Format everything.
fmt:
    bash .ci/fmt

# All tests.
test:
    cargo test --workspace

# Speed and memory against the comparator, in one run, with the everyday build.
bench:
    cargo bench --profile dev --package harness --bench map

# Maps with a filled index: nothing changed, one file changed; their targets. NAMES: only these repositories.
bench-warm *NAMES:
    cargo bench --profile dev --package harness --bench warm -- {{NAMES}}

# Throughput of the explorers against pure parsing of the same files, in one run.
bench-explore:
    cargo bench --profile dev --package harness --bench explore

# Throughput of the explorers of formats against the parsers of their gold, in one run.
bench-formats:
    cargo bench --profile dev --package harness --bench formats -- --write

# The smoke set without a cluster and with one; `harness/benches/cluster/README.md`. Takes half an hour.
bench-cluster:
    cargo build --package harness --bin parity
    python3 harness/benches/cluster/measure.py target/debug/parity reports/bench/cluster

# Server and hooks of agents, measured in one run; `harness/benches/agents/README.md`.
bench-agents:
    cargo build --package harness
    python3 harness/benches/agents/measure.py target/debug/parity reports/bench/agents

# The worksheet of the map: sessions of opencode with and without it; `harness/benches/worksheet/README.md`. TASKS are
# those of `harness/benches/relevance`, WORK a folder to work in, PYTHON the comparator's.
bench-worksheet PYTHON TASKS WORK:
    cargo build --package harness
    {{PYTHON}} harness/benches/worksheet/measure.py check
    {{PYTHON}} harness/benches/worksheet/measure.py run target/debug/parity {{TASKS}} {{WORK}} reports/bench/worksheet

# Differential search: random small repositories that both sides map, for so many MINUTES.
fuzz-parity MINUTES="10":
    cargo parity fuzz --minutes {{MINUTES}} --seed "$(date +%s)"

# Guided fuzzing of the explorers; SECONDS for each target.
fuzz SECONDS="60":
    bash .ci/fuzz {{SECONDS}}

# All of CI: formatting, lints, tests, the smoke run and the verification recipes.
ready:
    bash .ci/run

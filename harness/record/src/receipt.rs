//! The receipt: the identity of the installed comparator, as the driver measured it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An installed package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Package name.
    pub name: String,
    /// Package version.
    pub version: String,
    /// Digest of its `METADATA` file.
    pub metadata_sha256: String,
    /// Digest over all packaged files.
    pub files_sha256: String,
    /// Digest of the artifact, where the definition states it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel_sha256: Option<String>,
}

/// The identity part of every answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Receipt {
    /// The measured identity.
    pub tuple: MeasuredTuple,
    /// What could influence the result.
    pub environment: MeasuredEnvironment,
    /// Package versions.
    pub versions: BTreeMap<String, String>,
}

/// The driver's part of the comparator tuple.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MeasuredTuple {
    /// The comparator's package.
    pub aider_release: Package,
    /// The pinned commit as the driver read it.
    pub aider_commit_sha: Option<String>,
    /// The package that renders trees.
    pub grep_ast_provenance: Package,
    /// Encoding name.
    pub tokenizer_id: String,
    /// Libraries and versions.
    pub tokenizer_version: String,
    /// Digests of vocabularies by file name.
    pub tokenizer_data_sha256: BTreeMap<String, String>,
    /// The interpreter's version, such as `3.11.7`.
    pub python_version: String,
    /// Digests of the sources whose content decides the map.
    pub sources_sha256: BTreeMap<String, String>,
    /// Digest of the driver's files.
    pub driver_sha256: String,
}

/// The environment the comparator ran in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredEnvironment {
    /// Environment variables without the folders of one run.
    pub variables: BTreeMap<String, String>,
    /// `git --version`.
    pub git: Option<String>,
    /// Implementation and build of the interpreter.
    pub python: String,
    /// Operating system.
    pub system: String,
    /// Processor architecture.
    pub machine: String,
    /// C library; empty where the interpreter cannot tell.
    pub libc: String,
}

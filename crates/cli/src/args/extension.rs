//! The command line of `headway extension`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::Connection;

/// Try how a cluster behaves with a runtime extension of Cluster API.
#[derive(Debug, ClapArgs)]
pub(crate) struct Extension {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: ExtensionCommand,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum ExtensionCommand {
    Test(Box<ExtensionTest>),
}

/// Serve an extension that blocks and answers as you tell it, and shows every call.
///
/// Serves all lifecycle hooks and GenerateUpgradePlan. What is answered about a cluster is told by the ConfigMap
/// CLUSTER-EXTENSIONCONFIG-test-extension-hookresponses in the cluster's namespace: the key HOOK-preloadedResponse, or
/// HOOK-VERSION-preloadedResponse and HOOK-FROM-TO-preloadedResponse for one step alone, holds a response as JSON or YAML.
/// It is made at the first call, and what was answered is written into it and to standard output. For tests: whoever can
/// reach the address can have such ConfigMaps made. A call takes eight seconds at most, whatever --request-timeout says.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, after_help = "Use --help for settings and examples.")]
pub(crate) struct ExtensionTest {
    /// Where to listen; port 0 takes one that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9444")]
    pub(crate) listen: SocketAddr,

    /// A folder with tls.crt and tls.key to show, read again when they change. Without it a certificate is made anew at
    /// every start.
    #[arg(long, value_name = "DIR")]
    pub(crate) tls_dir: Option<PathBuf>,

    /// A further name or address that it is reached by, for the certificate that is made; localhost and the address of
    /// --listen are in it already. May be given several times.
    #[arg(long, value_name = "NAME", conflicts_with = "tls_dir")]
    pub(crate) tls_name: Vec<String>,

    /// Where to write the certificate that the one that is made is trusted by, the caBundle of the ExtensionConfig.
    /// Without it, it goes to standard error.
    #[arg(long, value_name = "FILE", conflicts_with = "tls_dir")]
    pub(crate) write_ca: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

pub(super) const EXAMPLES: &str = "\
Settings of the ExtensionConfig:
  extensionConfigName           its name; must be there
  defaultAllHandlersToBlocking  \"true\" blocks each lifecycle hook that no key tells of, for 5 s at a time
  versions                      the versions of plans; otherwise the first patch of each minor on the way

Examples:
  # Serve, and keep what the ExtensionConfig is to trust
  headway extension test --write-ca ca.crt

  # Let the upgrade of the cluster c1 begin, of the ExtensionConfig try
  kubectl patch configmap c1-try-test-extension-hookresponses --type=merge \\
    -p '{\"data\":{\"BeforeClusterUpgrade-preloadedResponse\":\"{\\\"status\\\":\\\"Success\\\"}\"}}'

  # Where managers reach this machine by another name
  headway extension test --listen 0.0.0.0:9444 --tls-name host.docker.internal --write-ca ca.crt";

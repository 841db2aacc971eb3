//! A ClusterUpgrade that somebody walks from a terminal: it is found or made, taken over from the operator and handed
//! back, and held by one terminal at a time. Walking it is left to [`crate::drive`].

mod hold;

use headway_api::GROUP;
use headway_api::update::word::Word;
use headway_api::upgrade::spec::{Driver, PlanFrom};
use headway_api::upgrade::{ClusterUpgrade, ClusterUpgradeSpec};
use kube::api::{Api, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

pub use self::hold::{Hold, HoldError, hold};
use crate::gather::live::{CallError, Cluster, LiveError, call};

/// The field manager of what is asked for from a terminal.
const FIELD_MANAGER: &str = "headway-terminal";

/// How often it is written over a newer one before giving up.
const TRIES: u32 = 8;

/// Which ClusterUpgrade, of the Cluster of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The namespace.
    pub namespace: &'a str,
    /// The name.
    pub name: &'a str,
}

/// What is asked of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// The version to go to; absent for the one that is there.
    pub version: Option<String>,
    /// Who names the versions on the way; absent for who is there.
    pub plan: Option<PlanFrom>,
}

/// What becomes of one that the operator walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfOperator {
    /// It stays with the operator, which is an error.
    Leave,
    /// It is taken over.
    Take,
}

/// Why it cannot be walked from here.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// The cluster cannot be reached, or does not know who asks.
    #[error(transparent)]
    Live(LiveError),
    /// The server said no, in its own words.
    #[error("Error from server ({reason}): {message}")]
    Refused {
        /// In a word.
        reason: String,
        /// In a sentence.
        message: String,
    },
    /// There is none, and nobody says where to go.
    #[error("there is no ClusterUpgrade {name}, and no version to make one for: name it with --to")]
    NoTarget {
        /// Its namespace and name.
        name: String,
    },
    /// There is none.
    #[error("there is no ClusterUpgrade {name}")]
    NotThere {
        /// Its namespace and name.
        name: String,
    },
    /// Others were faster each time.
    #[error("ClusterUpgrade {name} changes faster than it can be written; try again")]
    Changes {
        /// Its namespace and name.
        name: String,
    },
    /// The operator walks it.
    #[error("the operator walks ClusterUpgrade {name}: take it over with --take-over")]
    OfOperator {
        /// Its namespace and name.
        name: String,
    },
}

impl From<CallError> for TerminalError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Live(error) => Self::Live(error),
            CallError::Refused(status) => {
                Self::Refused { reason: status.reason.clone(), message: status.message.clone() }
            }
        }
    }
}

impl Place<'_> {
    fn api(self, cluster: &Cluster) -> Api<ClusterUpgrade> {
        Api::namespaced(cluster.client().clone(), self.namespace)
    }

    fn told(self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }
}

/// Reads it; `None` where there is none.
///
/// # Errors
/// The server does not say.
pub async fn find(cluster: &Cluster, place: Place<'_>) -> Result<Option<ClusterUpgrade>, TerminalError> {
    Ok(call(cluster, place.api(cluster).get_opt(place.name)).await?)
}

/// What would be walked, without anything being written.
///
/// # Errors
/// There is nothing to walk, or the operator walks it.
pub fn planned(
    found: Option<ClusterUpgrade>,
    place: Place<'_>,
    wish: &Wish,
    operator: OfOperator,
) -> Result<ClusterUpgrade, TerminalError> {
    let name = place.told();
    let Wish { version, plan } = wish.clone();
    let Some(mut upgrade) = found else {
        let version = version.ok_or(TerminalError::NoTarget { name })?;
        let spec = ClusterUpgradeSpec {
            cluster_name: place.name.to_owned(),
            version,
            plan,
            driver: Some(Word::Known(Driver::Terminal)),
            ..ClusterUpgradeSpec::default()
        };
        let mut upgrade = ClusterUpgrade::new(place.name, spec);
        upgrade.metadata.namespace = Some(place.namespace.to_owned());
        return Ok(upgrade);
    };
    if !is_terminals(&upgrade) && operator == OfOperator::Leave {
        return Err(TerminalError::OfOperator { name });
    }
    upgrade.spec.driver = Some(Word::Known(Driver::Terminal));
    if let Some(version) = version {
        upgrade.spec.version = version;
    }
    if plan.is_some() {
        upgrade.spec.plan = plan;
    }
    Ok(upgrade)
}

/// Finds it or makes it, as it is to be walked.
///
/// # Guarantees
/// Written is only what differs, and over nothing but what was read.
///
/// # Errors
/// There is nothing to walk, the operator walks it, or the server said no.
pub async fn ask(
    cluster: &Cluster,
    place: Place<'_>,
    wish: &Wish,
    operator: OfOperator,
) -> Result<ClusterUpgrade, TerminalError> {
    for _ in 1..TRIES {
        match try_to_ask(cluster, place, wish, operator).await {
            // Whoever drives it wrote the status in between.
            Err(Tried::Again) => {}
            Err(Tried::Over(error)) => return Err(error),
            Ok(upgrade) => return Ok(upgrade),
        }
    }
    try_to_ask(cluster, place, wish, operator).await.map_err(|tried| match tried {
        Tried::Again => TerminalError::Changes { name: place.told() },
        Tried::Over(error) => error,
    })
}

/// What came of one try that failed.
enum Tried {
    /// It changed meanwhile.
    Again,
    /// It cannot be.
    Over(TerminalError),
}

impl From<TerminalError> for Tried {
    fn from(error: TerminalError) -> Self {
        Self::Over(error)
    }
}

impl From<CallError> for Tried {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused(status) if status.code == 409 => Self::Again,
            error => Self::Over(error.into()),
        }
    }
}

async fn try_to_ask(
    cluster: &Cluster,
    place: Place<'_>,
    wish: &Wish,
    operator: OfOperator,
) -> Result<ClusterUpgrade, Tried> {
    let found = find(cluster, place).await?;
    let wanted = planned(found.clone(), place, wish, operator)?;
    let api = place.api(cluster);
    let Some(found) = found else {
        let params = PostParams { field_manager: Some(FIELD_MANAGER.into()), ..PostParams::default() };
        return Ok(call(cluster, api.create(&params, &wanted)).await?);
    };
    if found.spec == wanted.spec {
        return Ok(found);
    }
    let ClusterUpgradeSpec { version, plan, driver, .. } = &wanted.spec;
    // A plan that names its versions otherwise must not keep what it had.
    let plan = plan.as_ref().map_or(Value::Null, |plan| {
        let PlanFrom { kubernetes_versions, extension } = plan;
        let list = Some(kubernetes_versions).filter(|versions| !versions.is_empty());
        json!({ "kubernetesVersions": list, "extension": Some(extension).filter(|name| !name.is_empty()) })
    });
    Ok(merge(cluster, place, Some(&found), &json!({ "version": version, "plan": plan, "driver": driver })).await?)
}

/// Gives it to the operator.
///
/// # Errors
/// There is none, or the server said no.
pub async fn hand_over(cluster: &Cluster, place: Place<'_>) -> Result<ClusterUpgrade, TerminalError> {
    let found = find(cluster, place).await?.ok_or_else(|| TerminalError::NotThere { name: place.told() })?;
    if !is_terminals(&found) {
        return Ok(found);
    }
    // Whatever else changes meanwhile, this one field is what is meant.
    Ok(merge(cluster, place, None, &json!({ "driver": Driver::Operator })).await?)
}

/// Another ClusterUpgrade of the same Cluster that is older.
///
/// # Errors
/// The server does not say.
pub async fn rival(cluster: &Cluster, upgrade: &ClusterUpgrade) -> Result<Option<String>, TerminalError> {
    let namespace = upgrade.metadata.namespace.as_deref().unwrap_or_default();
    let api: Api<ClusterUpgrade> = Api::namespaced(cluster.client().clone(), namespace);
    let fields = format!("spec.clusterName={}", upgrade.spec.cluster_name);
    let all = call(cluster, api.list(&ListParams::default().fields(&fields))).await?;
    let age = |it: &ClusterUpgrade| {
        (it.metadata.creation_timestamp.as_ref().map(|time| time.0), it.metadata.name.clone().unwrap_or_default())
    };
    // One that is still to be made is younger than all.
    let is_older = |it: &ClusterUpgrade| upgrade.metadata.creation_timestamp.is_none() || age(it) < age(upgrade);
    let others = all.items.iter().filter(|it| it.metadata.name != upgrade.metadata.name && is_older(it));
    Ok(others.min_by_key(|it| age(it)).and_then(|it| it.metadata.name.clone()))
}

/// Whether it is for a terminal to walk it.
#[must_use]
pub fn is_terminals(upgrade: &ClusterUpgrade) -> bool {
    upgrade.spec.driver.as_ref().is_some_and(|driver| *driver == Driver::Terminal)
}

async fn merge(
    cluster: &Cluster,
    place: Place<'_>,
    over: Option<&ClusterUpgrade>,
    spec: &Value,
) -> Result<ClusterUpgrade, CallError> {
    let mut body = json!({ "spec": spec });
    if let Some(over) = over {
        body["metadata"] = json!({ "resourceVersion": over.metadata.resource_version });
    }
    let params = PatchParams { field_manager: Some(FIELD_MANAGER.into()), ..PatchParams::default() };
    call(cluster, place.api(cluster).patch(place.name, &params, &Patch::Merge(&body))).await
}

/// The resource, as kubectl tells of it.
#[must_use]
pub fn told(place: Place<'_>) -> String {
    format!("clusterupgrade.{GROUP}/{}", place.name)
}

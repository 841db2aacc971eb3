//! Alerts of the cluster's monitoring: through its route, or from an address that is given.

use std::path::PathBuf;
use std::time::Duration;

use headway_core::inform::FailureKind;
use http::{HeaderValue, Request, StatusCode, Uri};
use kube::client::Body;
use kube::config::AuthInfo;
use kube::{Client, Config};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::Limits;
use super::super::collect::{AlertsFound, parse_text};
use super::access::Cluster;
use super::fault::{Fault, obstacle};
use super::request::{self, within};
use crate::cause::innermost;

/// Where alerts come from, and how one proves who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prometheus {
    /// Where Prometheus, or Thanos in front of it, answers; without it the cluster's route is looked for.
    pub url: Option<Uri>,
    /// A file with the bearer token; without it the kubeconfig's token is shown.
    pub token_file: Option<PathBuf>,
    /// A file with the certificates that the server's own is held against.
    pub ca_file: Option<PathBuf>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::gather) struct NoAlerts {
    /// In a word.
    pub(in crate::gather) kind: FailureKind,
    /// In a sentence.
    pub(in crate::gather) message: String,
}

impl NoAlerts {
    /// Something that may be otherwise the next time.
    fn now(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Unreachable, message: message.into() }
    }
}

/// The route may lead to where a bastion host cannot go. Nobody waits long for what is only a part of the picture.
const PATIENCE: Duration = Duration::from_secs(10);

/// The route of OpenShift's monitoring, which shows alerts to those who may see them.
const ROUTE: &str = "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes/thanos-querier";

/// What is asked of Prometheus.
const ALERTS: &str = "/api/v1/alerts";

/// Where OpenShift publishes what its routes' certificates are signed with.
const INGRESS_CA: &str = "/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert";

/// Asks for the alerts.
pub(super) async fn ask(cluster: &Cluster, prometheus: &Prometheus, limits: &Limits) -> Result<AlertsFound, NoAlerts> {
    let places = match &prometheus.url {
        Some(url) => vec![url.clone()],
        None => route(cluster, limits).await?,
    };
    let token = token(cluster, prometheus)?;
    let roots = roots(cluster, prometheus, limits).await?;
    let mut why = NoAlerts::now("there is no place to ask");
    for place in &places {
        let token = shown_to(place, &token);
        for roots in &roots {
            match ask_one(cluster, place, token, roots.clone(), limits).await {
                Ok(found) => return Ok(found),
                Err(fault) => {
                    why = NoAlerts { kind: kind_of(&fault), message: format!("{place}: {fault}") };
                    // Only a certificate that is not believed may be believed by other roots.
                    if !matches!(fault, Fault::Unreachable(_)) {
                        break;
                    }
                }
            }
        }
    }
    Err(why)
}

async fn ask_one(
    cluster: &Cluster,
    place: &Uri,
    token: &Token,
    roots: Roots,
    limits: &Limits,
) -> Result<AlertsFound, Fault> {
    let mut config = Config::new(place.clone());
    config.root_cert = roots;
    config.default_retry = false;
    let mut request = Request::get(ALERTS);
    match token {
        Token::OfKubeconfig(credentials) => config.auth_info = credentials.as_ref().clone(),
        Token::Given(token) => request = request.header(http::header::AUTHORIZATION, token),
        Token::Nothing => {}
    }
    let client = Client::try_from(config).map_err(|error| Fault::of_client(&error))?;
    let request = request.body(Body::empty()).map_err(|error| Fault::of_client(&error))?;
    let patience = cluster.timeout().map_or(PATIENCE, |own| own.min(PATIENCE));
    let text = within(Some(patience), async {
        let response = client.send(request).await.map_err(|error| Fault::of_client(&error))?;
        let (head, body) = response.into_parts();
        let text = request::read(body, limits).await?;
        if head.status == StatusCode::OK {
            return Ok(text);
        }
        let message = head.status.canonical_reason().unwrap_or("no alerts").to_owned();
        Err(Fault::Status { code: head.status.as_u16(), message })
    })
    .await?;
    parse_text(&place.to_string(), &text, limits).into_alerts().map_err(Fault::Unreadable)
}

/// What a refusal is: the same as of any other source.
fn kind_of(fault: &Fault) -> FailureKind {
    match fault {
        Fault::Forbidden(_) | Fault::Status { code: 401 | 403, .. } => FailureKind::Forbidden,
        Fault::NotFound(_) => FailureKind::NotServed,
        Fault::Unauthorized
        | Fault::Gone(_)
        | Fault::Status { .. }
        | Fault::TimedOut(_)
        | Fault::Refused
        | Fault::Unreachable(_)
        | Fault::Unreadable(_) => FailureKind::Unreachable,
    }
}

/// Where the route leads to.
async fn route(cluster: &Cluster, limits: &Limits) -> Result<Vec<Uri>, NoAlerts> {
    let route: Route = get(cluster, ROUTE, limits).await.map_err(|fault| {
        let absent = "the cluster has no route openshift-monitoring/thanos-querier".to_owned();
        let message = obstacle("get", "routes.route.openshift.io", absent, &fault);
        NoAlerts { kind: kind_of(&fault), message }
    })?;
    let admitted = route.status.ingress.into_iter().map(|ingress| ingress.host);
    let mut hosts: Vec<String> = admitted.chain([route.spec.host]).filter(|host| !host.is_empty()).collect();
    hosts.dedup();
    if hosts.is_empty() {
        return Err(NoAlerts::now("the route openshift-monitoring/thanos-querier has no host"));
    }
    let place = |host: String| {
        format!("https://{host}").parse().map_err(|_| NoAlerts::now(format!("\"{host}\" is no host name")))
    };
    hosts.into_iter().map(place).collect()
}

/// How one proves who asks.
enum Token {
    /// As the kubeconfig says.
    OfKubeconfig(Box<AuthInfo>),
    /// By this token.
    Given(HeaderValue),
    /// Not at all.
    Nothing,
}

/// The token that is shown.
fn token(cluster: &Cluster, prometheus: &Prometheus) -> Result<Token, NoAlerts> {
    if let Some(path) = &prometheus.token_file {
        let read = std::fs::read_to_string(path);
        let token =
            read.map_err(|error| NoAlerts::now(format!("cannot read {}: {}", path.display(), innermost(&error))))?;
        let mut value = HeaderValue::try_from(format!("Bearer {}", token.trim()))
            .map_err(|_| NoAlerts::now(format!("{} holds no token", path.display())))?;
        value.set_sensitive(true);
        return Ok(Token::Given(value));
    }
    let AuthInfo { username, token, token_file, auth_provider, exec, .. } = cluster.credentials();
    let has_token =
        username.is_some() || token.is_some() || token_file.is_some() || auth_provider.is_some() || exec.is_some();
    if has_token {
        let credentials = cluster.credentials().clone();
        let shown = AuthInfo {
            // The certificate and the right to act as others are the API server's business.
            client_certificate: None,
            client_certificate_data: None,
            client_key: None,
            client_key_data: None,
            impersonate: None,
            impersonate_groups: None,
            impersonate_uid: None,
            impersonate_user_extra: None,
            ..credentials
        };
        return Ok(Token::OfKubeconfig(Box::new(shown)));
    }
    match &prometheus.url {
        Some(_) => Ok(Token::Nothing),
        // The route lets nobody in without one.
        None => Err(NoAlerts {
            kind: FailureKind::Forbidden,
            message: "no token is currently in use for this session".into(),
        }),
    }
}

/// A token of the kubeconfig opens the whole cluster: it goes over no line that others can read.
fn shown_to<'a>(place: &Uri, token: &'a Token) -> &'a Token {
    match token {
        Token::OfKubeconfig(_) if place.scheme_str() != Some("https") => &Token::Nothing,
        other => other,
    }
}

/// Certificates that a server's own is held against; without any, those of the system.
type Roots = Option<Vec<Vec<u8>>>;

/// The roots to try, one after another.
async fn roots(cluster: &Cluster, prometheus: &Prometheus, limits: &Limits) -> Result<Vec<Roots>, NoAlerts> {
    if let Some(path) = &prometheus.ca_file {
        let read = std::fs::read(path);
        let text =
            read.map_err(|error| NoAlerts::now(format!("cannot read {}: {}", path.display(), innermost(&error))))?;
        let roots = certificates(&text);
        if roots.is_empty() {
            return Err(NoAlerts::now(format!("{} holds no certificate", path.display())));
        }
        return Ok(vec![Some(roots)]);
    }
    let mut known = cluster.roots().to_vec();
    // Readable by everybody who is logged in; where it is not, the other roots may do.
    if let Ok(Bundle { data }) = get::<Bundle>(cluster, INGRESS_CA, limits).await {
        known.extend(certificates(data.bundle.as_bytes()));
    }
    let known = (!known.is_empty()).then_some(Some(known));
    Ok(known.into_iter().chain([None]).collect())
}

fn certificates(pem: &[u8]) -> Vec<Vec<u8>> {
    CertificateDer::pem_slice_iter(pem).filter_map(Result::ok).map(|certificate| certificate.to_vec()).collect()
}

/// The part of a Route that is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Route {
    spec: Host,
    status: RouteStatus,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RouteStatus {
    ingress: Vec<Host>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Host {
    host: String,
}

/// The part of the ConfigMap of certificates that is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Bundle {
    data: BundleData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BundleData {
    #[serde(rename = "ca-bundle.crt")]
    bundle: String,
}

async fn get<T: DeserializeOwned>(cluster: &Cluster, path: &str, limits: &Limits) -> Result<T, Fault> {
    let request = Request::get(path).body(Vec::new()).map_err(|error| Fault::of_client(&error))?;
    let text = request::ask(cluster, &request, limits).await?;
    serde_json::from_slice(&text).map_err(|error| Fault::Unreadable(error.to_string()))
}

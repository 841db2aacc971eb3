//! A kubeconfig that somebody else wrote, as one out of a Secret: only the data in it counts.
//!
//! Whoever may write it must not make us run programs or read our own files.

use kube::config::{AuthInfo, Kubeconfig};

use super::AccessError;

/// Why somebody else's kubeconfig is not used.
#[derive(Debug, thiserror::Error)]
pub enum BorrowedError {
    /// It is no text.
    #[error("the kubeconfig is no text")]
    NoText,
    /// It would have us run a program or read a file of ours.
    #[error("{field} of the kubeconfig names {what}, and only data is used")]
    ReachesOut {
        /// The field.
        field: String,
        /// What it names.
        what: &'static str,
    },
    /// One of our own would not be used either.
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// Reads one.
pub(super) fn read(text: &[u8]) -> Result<Kubeconfig, BorrowedError> {
    let text = std::str::from_utf8(text).map_err(|_| BorrowedError::NoText)?;
    let read = Kubeconfig::from_yaml(text).map_err(AccessError::Unusable)?;
    match reaches_out(&read) {
        Some((field, what)) => Err(BorrowedError::ReachesOut { field, what }),
        None => Ok(read),
    }
}

/// What of a kubeconfig would run a program or read a file: the field, and what it names.
fn reaches_out(kubeconfig: &Kubeconfig) -> Option<(String, &'static str)> {
    let users = kubeconfig.auth_infos.iter().filter_map(|user| {
        let field = of_user(user.auth_info.as_ref()?)?;
        Some((format!("users[{}].user.{}", user.name, field.0), field.1))
    });
    let clusters = kubeconfig.clusters.iter().filter_map(|cluster| {
        cluster.cluster.as_ref()?.certificate_authority.as_ref()?;
        Some((format!("clusters[{}].cluster.certificate-authority", cluster.name), FILE))
    });
    users.chain(clusters).next()
}

const PROGRAM: &str = "a program";
const FILE: &str = "a file";

fn of_user(user: &AuthInfo) -> Option<(&'static str, &'static str)> {
    let fields = [
        (user.exec.is_some(), "exec", PROGRAM),
        (user.auth_provider.is_some(), "auth-provider", PROGRAM),
        (user.token_file.is_some(), "tokenFile", FILE),
        (user.client_certificate.is_some(), "client-certificate", FILE),
        (user.client_key.is_some(), "client-key", FILE),
    ];
    fields.into_iter().find(|(is_there, ..)| *is_there).map(|(_, field, what)| (field, what))
}

#[cfg(test)]
mod tests {
    use super::super::Cluster;

    #[tokio::test]
    async fn only_data_of_a_kubeconfig_is_used() {
        let check = async |user: &str, cluster: &str, expect: &str| {
            let text = format!(
                "{{apiVersion: v1, kind: Config, current-context: a, contexts: [{{name: a, context: {{cluster: a, user: b}}}}],
                clusters: [{{name: a, cluster: {{server: 'https://127.0.0.1:9'{cluster}}}}}],
                users: [{{name: b, user: {{{user}}}}}]}}"
            );
            let told = match Cluster::of_kubeconfig(text.as_bytes(), std::time::Duration::from_secs(1)).await {
                Ok(cluster) => cluster.server().to_owned(),
                Err(error) => error.to_string(),
            };
            assert_eq!(told, expect, "{user} {cluster}");
        };
        check("token: a", "", "127.0.0.1:9").await;
        let names = |field: &str, what: &str| format!("{field} of the kubeconfig names {what}, and only data is used");
        let user = |field: &str, what: &str| names(&format!("users[b].user.{field}"), what);
        let exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: touch}";
        check(exec, "", &user("exec", "a program")).await;
        check("auth-provider: {name: gcp, config: {}}", "", &user("auth-provider", "a program")).await;
        check("tokenFile: /etc/passwd", "", &user("tokenFile", "a file")).await;
        check("client-certificate: /etc/passwd", "", &user("client-certificate", "a file")).await;
        check("client-key: /etc/passwd", "", &user("client-key", "a file")).await;
        let file = ", certificate-authority: /etc/passwd";
        check("token: a", file, &names("clusters[a].cluster.certificate-authority", "a file")).await;
    }

    #[tokio::test]
    async fn what_is_no_kubeconfig_is_refused_in_words() {
        let check = async |text: &[u8], expect: &str| {
            let made = Cluster::of_kubeconfig(text, std::time::Duration::from_secs(1)).await;
            let told = made.map_or_else(|error| error.to_string(), |_| "taken".to_owned());
            assert_eq!(told, expect);
        };
        check(b"nonsense: [", "the kubeconfig cannot be used").await;
        check(b"\xff\xfe", "the kubeconfig is no text").await;
        check(b"{apiVersion: v1, kind: Config}", "the kubeconfig has no current context").await;
        check(b"{apiVersion: v1, kind: Config, current-context: a}", "context \"a\" does not exist").await;
    }
}

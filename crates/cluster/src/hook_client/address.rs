//! Where a handler is asked: the address out of an ExtensionConfig (chained-upgrades.md, 5.1 and 5.5).

use headway_api::cluster_api::{ClientConfig, ServiceReference};
use headway_api::hooks::Hook;
use headway_api::quoted::Quoted;
use headway_core::hook::CallFault;
use http::Uri;

/// The port of a service that names none.
const HTTPS: u32 = 443;

/// The address of a handler, which is told in it how many seconds are waited for. Paths are joined without doubled
/// slashes, and a query of the extension's own is kept.
pub(super) fn address(config: &ClientConfig, hook: Hook, handler: &str, seconds: u64) -> Result<Uri, CallFault> {
    let (authority, path, query) = base(config).map_err(CallFault::ClientConfig)?;
    let path = clean(&format!("{path}/{}", hook.path(handler)));
    let query = query.map(|query| format!("{query}&")).unwrap_or_default();
    let text = format!("https://{authority}{path}?{query}timeout={seconds}s");
    text.parse().map_err(|why| CallFault::ClientConfig(format!("{} is no address: {why}", Quoted(&text))))
}

/// Host and port, the path in front, and the query.
fn base(config: &ClientConfig) -> Result<(String, String, Option<String>), String> {
    let ClientConfig { url, service, ca_bundle: _ } = config;
    match (url.as_str(), service) {
        ("", None) => Err("it has neither url nor service".into()),
        ("", Some(service)) => of_service(service),
        (url, None) => of_url(url),
        (_, Some(_)) => Err("it has both url and service".into()),
    }
}

fn of_url(url: &str) -> Result<(String, String, Option<String>), String> {
    let read: Uri = url.parse().map_err(|why| format!("url {} is no address: {why}", Quoted(url)))?;
    if read.scheme_str() != Some("https") {
        return Err(format!("url {} does not begin with https", Quoted(url)));
    }
    let authority = read.authority().map(ToString::to_string).unwrap_or_default();
    if authority.contains('@') {
        // It may be a password, so it is not quoted.
        return Err("url has a user in it".into());
    }
    Ok((authority, read.path().to_owned(), read.query().map(str::to_owned)))
}

fn of_service(service: &ServiceReference) -> Result<(String, String, Option<String>), String> {
    let ServiceReference { namespace, name, path, port } = service;
    for (field, label) in [("namespace", namespace), ("name", name)] {
        let is_inner = |byte: u8| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if label.is_empty() || !label.bytes().all(is_inner) {
            return Err(format!("service.{field} {} is not a name", Quoted(label)));
        }
    }
    if !path.is_empty() && !path.starts_with('/') {
        return Err(format!("service.path {} does not begin with a slash", Quoted(path)));
    }
    let port = port.unwrap_or(HTTPS);
    if !(1..=u32::from(u16::MAX)).contains(&port) {
        return Err(format!("service.port is {port}, not from 1 to {}", u16::MAX));
    }
    Ok((format!("{name}.{namespace}.svc:{port}"), path.clone(), None))
}

/// A path without doubled slashes, and without steps back.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: &str = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

    fn check(config: &serde_json::Value, expect: &str) {
        let config: ClientConfig = serde_json::from_value(config.clone()).unwrap();
        let hook = Hook::find(GROUP, "BeforeWorkersUpgrade").unwrap();
        let told = match address(&config, hook, "before-Workers", 10) {
            Ok(uri) => uri.to_string().replace(GROUP, "G"),
            Err(fault) => format!("! {fault}"),
        };
        assert_eq!(told, expect, "{config:?}");
    }

    #[test]
    fn ch_5_5_addresses() {
        use serde_json::json;
        let rest = "G/beforeworkersupgrade/before-workers?timeout=10s";
        check(&json!({"url": "https://ext.example.com"}), &format!("https://ext.example.com/{rest}"));
        check(
            &json!({"url": "https://ext.example.com:8443/a//b/"}),
            &format!("https://ext.example.com:8443/a/b/{rest}"),
        );
        check(
            &json!({"url": "https://ext/?token=x"}),
            "https://ext/G/beforeworkersupgrade/before-workers?token=x&timeout=10s",
        );
        check(&json!({"url": "https://[::1]:9443/../x/."}), &format!("https://[::1]:9443/x/{rest}"));
        check(&json!({"service": {"namespace": "ns", "name": "ext"}}), &format!("https://ext.ns.svc:443/{rest}"));
        check(
            &json!({"service": {"namespace": "ns", "name": "ext", "path": "/in/front/", "port": 8443}}),
            &format!("https://ext.ns.svc:8443/in/front/{rest}"),
        );
    }

    #[test]
    fn ch_5_1_addresses_that_are_none() {
        use serde_json::json;
        let refused = |why: &str| format!("! its clientConfig cannot be used: {why}");
        check(&json!({}), &refused("it has neither url nor service"));
        let service = json!({"namespace": "ns", "name": "ext"});
        check(&json!({"url": "https://ext", "service": service}), &refused("it has both url and service"));
        check(&json!({"url": "http://ext"}), &refused("url \"http://ext\" does not begin with https"));
        check(&json!({"url": "ext:443"}), &refused("url \"ext:443\" does not begin with https"));
        check(&json!({"url": "https://me:secret@ext"}), &refused("url has a user in it"));
        check(&json!({"service": {"namespace": "ns"}}), &refused("service.name \"\" is not a name"));
        check(
            &json!({"service": {"namespace": "a.b/c", "name": "ext"}}),
            &refused("service.namespace \"a.b/c\" is not a name"),
        );
        check(
            &json!({"service": {"namespace": "ns", "name": "ext", "path": "x"}}),
            &refused("service.path \"x\" does not begin with a slash"),
        );
        check(
            &json!({"service": {"namespace": "ns", "name": "ext", "port": 70000}}),
            &refused("service.port is 70000, not from 1 to 65535"),
        );
    }
}

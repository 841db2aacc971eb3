//! Choosing members: by name and namespace, or by namespace and labels.

use headway_api::report::Form;

use super::{Member, Selector};
use crate::assess::first_few;

/// The one cluster that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The form that its name says before a `/`, as in `hostedcluster/NAME`.
    pub form: Option<Form>,
    /// Its name.
    pub name: &'a str,
    /// Its namespace, unless any will do.
    pub namespace: Option<&'a str>,
}

/// Which cluster is meant cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    /// None is called so.
    #[error("no cluster {wanted} was found{}", there_is(names))]
    NotThere {
        /// What was asked for.
        wanted: String,
        /// Those that are there.
        names: Vec<String>,
    },
    /// Several are called so.
    #[error("{} clusters are called {name}: {}", names.len(), first_few(names))]
    Several {
        /// The name.
        name: String,
        /// Those that are, each as it can be asked for.
        names: Vec<String>,
    },
}

fn there_is(names: &[String]) -> String {
    if names.is_empty() { "; there is none at all".into() } else { format!("; there is {}", first_few(names)) }
}

impl<'a> Wanted<'a> {
    /// Reads `NAME`, or `cluster/NAME` and `hostedcluster/NAME` where two forms have one of the name.
    #[must_use]
    pub fn read(text: &'a str, namespace: Option<&'a str>) -> Self {
        let (form, name) = match text.split_once('/') {
            Some(("cluster" | "clusters" | "cl", name)) => (Some(Form::ClusterApi), name),
            Some(("hostedcluster" | "hostedclusters" | "hc" | "hcs", name)) => (Some(Form::Hosted), name),
            Some(_) | None => (None, text),
        };
        Self { form, name, namespace }
    }

    fn told(&self) -> String {
        match self.namespace {
            Some(namespace) => format!("{namespace}/{}", self.name),
            None => self.name.to_owned(),
        }
    }
}

impl Selector {
    /// Those of some members that are in a namespace, or in any, and for whose labels the selector holds. For labels
    /// that nobody knows only an empty one does.
    #[must_use]
    pub fn choose<'a>(&self, members: Vec<Member<'a>>, namespace: Option<&str>) -> Vec<Member<'a>> {
        let is_meant = |member: &Member<'_>| {
            namespace.is_none_or(|namespace| member.namespace() == namespace)
                && member.labels().map_or(self.is_empty(), |labels| self.matches(labels))
        };
        members.into_iter().filter(is_meant).collect()
    }
}

/// The one member that is asked for.
///
/// # Errors
/// When none fits, or more than one.
pub fn pick<'m, 'a>(members: &'m [Member<'a>], wanted: Wanted<'_>) -> Result<&'m Member<'a>, PickError> {
    let fits = |member: &&Member<'a>| {
        member.name() == wanted.name
            && wanted.namespace.is_none_or(|namespace| member.namespace() == namespace)
            && wanted.form.is_none_or(|form| member.form() == form)
    };
    let found: Vec<&Member<'a>> = members.iter().filter(fits).collect();
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(PickError::NotThere { wanted: wanted.told(), names: members.iter().map(Member::told).collect() }),
        several => {
            let mut namespaces: Vec<&str> = several.iter().map(|member| member.namespace()).collect();
            namespaces.dedup();
            let told = |member: &&Member<'a>| {
                // Within one namespace only the kind tells them apart.
                if namespaces.len() == several.len() {
                    member.told()
                } else {
                    format!("{}/{}", member.kind(), member.name())
                }
            };
            Err(PickError::Several { name: wanted.name.to_owned(), names: several.iter().map(told).collect() })
        }
    }
}

//! How a plane is to differ from the usual one.

/// What a test asks for beyond `Plane::start`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Further flags of the kube-apiserver, such as `--watch-cache=false`.
    pub apiserver_flags: Vec<String>,
}

//! What CI asks of our own Go sources: the form that gofmt gives them, and nothing that go vet finds; and of the health
//! checks for Argo CD, which only Go can run as Argo CD does, that they say what their cases say.

use anyhow::bail;

use super::go::Go;
use crate::program;

/// Looks at them where Go is here. Where it is not, the tests have asked for
/// it already, or every program is compiled and the sources do not matter.
pub(crate) fn check() -> anyhow::Result<()> {
    let module = program::root().join("testenv");
    let go = match Go::find(&module) {
        Ok(go) => go,
        Err(error) => {
            println!("env: the Go sources below testenv go unseen: {error:#}");
            return Ok(());
        }
    };
    let unformed = program::output(go.formatter(&module)?.args(["-l", "."]))?;
    if !unformed.is_empty() {
        let files = String::from_utf8_lossy(&unformed).lines().collect::<Vec<_>>().join(", ");
        bail!("gofmt would change {files} below testenv; run `gofmt -w testenv`");
    }
    program::output(go.command(&module).args(["vet", "./..."]))?;
    let health_checks = module.join("argocd");
    program::output(go.command(&health_checks).args(["vet", "./..."]))?;
    program::run(go.command(&health_checks).args(["test", "-count=1", "./..."]))
}

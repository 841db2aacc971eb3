//! Scripts: what is there, what is asked for and what goes wrong, a line each.
//!
//! The first command says where the control plane is. Blank lines and what follows a `#` say nothing.

use headway_api::hooks::Lifecycle;
use headway_api::insight::{Level, Rule};
use headway_api::plan::GroupKind;
use headway_core::drive::Approval;
use headway_core::version::{KubeVersion, VersionError};
use jiff::SignedDuration;

use crate::driver::Fault;
use crate::extension::{Behaviour, Reply};
use crate::words;

/// A script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Where the control plane is.
    pub version: KubeVersion,
    /// How many machines it has.
    pub machines: usize,
    /// The first command as it was written.
    pub first: String,
    /// The others, each as it was written and as it was read.
    pub lines: Vec<(String, Command)>,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `pool NAME MACHINES [VERSION]`, `machine-pool NAME MACHINES [VERSION]`: a group of workers.
    Pool {
        /// What it is.
        kind: GroupKind,
        /// Its name.
        name: String,
        /// How many machines it has.
        machines: usize,
        /// Its version; else that of the control plane.
        version: Option<KubeVersion>,
    },
    /// `versions VERSION...`: the list that names the versions; none is one minor at a time.
    Versions(Vec<String>),
    /// `extension VERSION... [workers VERSION...]`: an extension names them.
    Extension {
        /// Those of the control plane.
        versions: Vec<String>,
        /// Those of the workers; empty leaves them to us.
        workers: Vec<String>,
    },
    /// `extension-down WHY`, `extension-up`: whether it answers.
    ExtensionDown(Option<String>),
    /// `hooks`: all hooks are answered, with nothing against it.
    Hooks,
    /// `hook NAME go`, `hook NAME wait|fail DURATION [COUNT times]`: how a hook is answered.
    Hook(Lifecycle, Behaviour),
    /// `upgrade VERSION`: the target.
    Upgrade(KubeVersion),
    /// `run [DURATION]`: time goes on, for so long or until nothing happens any more.
    Run(Option<SignedDuration>),
    /// `pause`, `resume`.
    Pause(bool),
    /// `stop`, `go-on`: whether to stop after what has begun.
    Stop(bool),
    /// `defer NAME`, `undefer NAME`: the annotation that puts off the upgrade of a group.
    Defer(String, bool),
    /// `delete NAME`, `gone NAME`: a group is being deleted; it is gone.
    Delete(String, bool),
    /// `concurrency COUNT`: how many groups move at once.
    Concurrency(usize),
    /// `stage NAME GROUP...`: these groups move before those of later stages and of none.
    Stage(String, Vec<String>),
    /// `annotate KEY`, `unannotate KEY`: an annotation that forbids the upgrade to begin.
    Annotate(String, bool),
    /// `soak DURATION`: how long everything stands still after a step.
    Soak(SignedDuration),
    /// `approval per-step|per-chain|none`: whether somebody must say yes.
    Approval(Approval),
    /// `approve STEP`: somebody says yes.
    Approve(String),
    /// `unhealthy LEVEL RULE SUMMARY`: an insight that closes the gate for health.
    Unhealthy(Level, Rule, String),
    /// `healthy`: it is gone.
    Healthy,
    /// `window open`: this is a time for something new.
    WindowOpen,
    /// `window closed [DURATION]`: it is none, for so long or until it is said to be one.
    WindowClosed(Option<SignedDuration>),
    /// `machines-take DURATION`: how long a machine takes to become ready.
    Take(SignedDuration),
    /// `never-ready NAME`, `ready NAME`: whether new machines of a group, or of `control-plane`, become ready.
    NeverReady(String, bool),
    /// `keep NAME MANAGER`, `unkeep NAME`: another keeps the version of a group, or of `control-plane`.
    Keep(String, Option<String>),
    /// `silent`, `reports`: whether the control plane reports a version.
    Silent(bool),
    /// `conflict`, `refuse`, `crash COUNT`: something goes wrong with the next write, or after so many effects.
    Fault(Fault),
}

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}")]
pub struct ScriptError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub fault: LineFault,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// There is no such command.
    #[error("there is no command {0:?}; see `headway simulate --help`")]
    NoCommand(String),
    /// Something is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Something is too much.
    #[error("{0:?} is too much")]
    TooMuch(String),
    /// Something is not what it should be.
    #[error("{value:?} is not {what}")]
    NotA {
        /// What stands there.
        value: String,
        /// What should.
        what: &'static str,
    },
    /// A version is none.
    #[error("{value:?} is not a version")]
    Version {
        /// What stands there.
        value: String,
        /// Why not.
        #[source]
        cause: VersionError,
    },
    /// The first command is another.
    #[error("the first command is `control-plane VERSION [MACHINES]`")]
    NoControlPlane,
    /// There is no such group.
    #[error("there is no group {0:?}")]
    NoGroup(String),
    /// There is such a group already.
    #[error("there is a group {0:?} already")]
    Twice(String),
}

/// No rehearsal has more machines in a group.
const MOST_MACHINES: usize = 1_000;

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// When a line is no command; which, and what is wrong with it.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let mut script: Option<Self> = None;
        let mut last = 0;
        for (at, line) in text.lines().enumerate() {
            last = at + 1;
            let said = line.split('#').next().unwrap_or_default().trim();
            if said.is_empty() {
                continue;
            }
            let in_line = |fault| ScriptError { line: last, fault };
            let mut words = Words::new(said);
            match &mut script {
                None => script = Some(first(said, &mut words).map_err(in_line)?),
                Some(script) => {
                    let command = Command::read(&mut words).and_then(|command| words.end(command)).map_err(in_line)?;
                    script.lines.push((said.to_owned(), command));
                }
            }
        }
        script.ok_or(ScriptError { line: last.max(1), fault: LineFault::NoControlPlane })
    }
}

fn first(said: &str, words: &mut Words<'_>) -> Result<Script, LineFault> {
    if words.next() != Some("control-plane") {
        return Err(LineFault::NoControlPlane);
    }
    let version = words.version()?;
    let machines = if words.is_empty() { 1 } else { words.count()? };
    words.end(Script { version, machines, first: said.to_owned(), lines: Vec::new() })
}

impl Command {
    fn read(words: &mut Words<'_>) -> Result<Self, LineFault> {
        let name = words.next().unwrap_or_default();
        Ok(match name {
            "pool" | "machine-pool" => Self::Pool {
                kind: if name == "pool" { GroupKind::MachineDeployment } else { GroupKind::MachinePool },
                name: words.text("the name")?,
                machines: words.count()?,
                version: if words.is_empty() { None } else { Some(words.version()?) },
            },
            "versions" => Self::Versions(words.rest()),
            "extension" => {
                let all = words.rest();
                let (versions, workers) = match all.iter().position(|word| word == "workers") {
                    Some(at) => (all[..at].to_vec(), all[at + 1..].to_vec()),
                    None => (all, Vec::new()),
                };
                Self::Extension { versions, workers }
            }
            "extension-down" => Self::ExtensionDown(Some(words.sentence("why")?)),
            "extension-up" => Self::ExtensionDown(None),
            "hooks" => Self::Hooks,
            "hook" => {
                let hook =
                    words.one_of("a hook of an upgrade", &Lifecycle::OF_UPGRADE.map(|hook| (hook.name(), hook)))?;
                Self::Hook(hook, behaviour(words)?)
            }
            "upgrade" => Self::Upgrade(words.version()?),
            "run" => Self::Run(words.duration_if_any()?),
            "pause" | "resume" => Self::Pause(name == "pause"),
            "stop" | "go-on" => Self::Stop(name == "stop"),
            "defer" | "undefer" => Self::Defer(words.text("the name")?, name == "defer"),
            "delete" | "gone" => Self::Delete(words.text("the name")?, name == "gone"),
            "concurrency" => Self::Concurrency(words.count()?),
            "stage" => Self::Stage(words.text("the name")?, words.rest()),
            "annotate" | "unannotate" => Self::Annotate(words.text("the key")?, name == "annotate"),
            "soak" => Self::Soak(words.duration()?),
            "approval" => {
                let all =
                    [("per-step", Approval::PerStep), ("per-chain", Approval::PerChain), ("none", Approval::NotAsked)];
                Self::Approval(words.one_of("per-step, per-chain or none", &all)?)
            }
            "approve" => Self::Approve(words.text("the step")?),
            "unhealthy" => {
                let levels = [Level::Info, Level::Warning, Level::Error, Level::Critical];
                let level = words.one_of("a level", &levels.map(|level| (level.to_string(), level)))?;
                let rules: Vec<(&str, Rule)> = Rule::ALL.iter().map(|rule| (rule.id(), *rule)).collect();
                Self::Unhealthy(level, words.one_of("a rule", &rules)?, words.sentence("the summary")?)
            }
            "healthy" => Self::Healthy,
            "window" => match words.text("open or closed")?.as_str() {
                "open" => Self::WindowOpen,
                "closed" => Self::WindowClosed(words.duration_if_any()?),
                other => return Err(LineFault::NotA { value: other.to_owned(), what: "open or closed" }),
            },
            "machines-take" => Self::Take(words.duration()?),
            "never-ready" | "ready" => Self::NeverReady(words.text("the name")?, name == "never-ready"),
            "keep" => Self::Keep(words.text("the name")?, Some(words.text("the manager")?)),
            "unkeep" => Self::Keep(words.text("the name")?, None),
            "silent" | "reports" => Self::Silent(name == "silent"),
            "conflict" => Self::Fault(Fault::Conflict),
            "refuse" => Self::Fault(Fault::Refused),
            "crash" => Self::Fault(Fault::Crash(words.count()?)),
            other => return Err(LineFault::NoCommand(other.to_owned())),
        })
    }
}

fn behaviour(words: &mut Words<'_>) -> Result<Behaviour, LineFault> {
    let say = words.text("go, wait or fail")?;
    let reply = match say.as_str() {
        "go" => return Ok(Behaviour { reply: Reply::Go, times: None }),
        "wait" => Reply::Wait(words.duration()?, "the script has it so".into()),
        "fail" => Reply::Fail(words.duration()?, "the script has it so".into()),
        _ => return Err(LineFault::NotA { value: say, what: "go, wait or fail" }),
    };
    if words.is_empty() {
        return Ok(Behaviour { reply, times: None });
    }
    let times = words.count()?;
    let times = u32::try_from(times).map_err(|_| LineFault::NotA { value: times.to_string(), what: "a count" })?;
    match words.next() {
        Some("times") => Ok(Behaviour { reply, times: Some(times) }),
        Some(other) => Err(LineFault::NotA { value: other.to_owned(), what: "times" }),
        None => Err(LineFault::Missing("times")),
    }
}

/// The words of a line.
struct Words<'a>(std::iter::Peekable<std::str::SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        Self(line.split_whitespace().peekable())
    }

    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn is_empty(&mut self) -> bool {
        self.0.peek().is_none()
    }

    fn text(&mut self, what: &'static str) -> Result<String, LineFault> {
        self.next().map(str::to_owned).ok_or(LineFault::Missing(what))
    }

    fn rest(&mut self) -> Vec<String> {
        self.0.by_ref().map(str::to_owned).collect()
    }

    fn sentence(&mut self, what: &'static str) -> Result<String, LineFault> {
        let all = self.rest();
        if all.is_empty() { Err(LineFault::Missing(what)) } else { Ok(all.join(" ")) }
    }

    fn version(&mut self) -> Result<KubeVersion, LineFault> {
        let value = self.text("a version")?;
        value.parse().map_err(|cause| LineFault::Version { value, cause })
    }

    fn count(&mut self) -> Result<usize, LineFault> {
        let value = self.text("a count")?;
        let count = value.parse().ok().filter(|count| *count <= MOST_MACHINES);
        count.ok_or(LineFault::NotA { value, what: "a count of at most 1000" })
    }

    fn duration(&mut self) -> Result<SignedDuration, LineFault> {
        let value = self.text("a duration")?;
        words::duration(&value).ok_or(LineFault::NotA { value, what: "a duration such as 90s, 5m or 2h" })
    }

    fn duration_if_any(&mut self) -> Result<Option<SignedDuration>, LineFault> {
        if self.is_empty() { Ok(None) } else { self.duration().map(Some) }
    }

    fn one_of<T: Copy>(&mut self, what: &'static str, all: &[(impl AsRef<str>, T)]) -> Result<T, LineFault> {
        let value = self.text(what)?;
        let found = all.iter().find(|(name, _)| name.as_ref() == value);
        found.map(|(_, found)| *found).ok_or(LineFault::NotA { value, what })
    }

    fn end<T>(&mut self, read: T) -> Result<T, LineFault> {
        match self.next() {
            None => Ok(read),
            Some(more) => Err(LineFault::TooMuch(more.to_owned())),
        }
    }
}

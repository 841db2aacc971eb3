//! A script played, command by command, with its transcript.

use std::collections::BTreeSet;
use std::fmt::Write;

use headway_api::hooks::Lifecycle;
use headway_api::insight::Level;
use headway_api::plan::WorkerGroup;
use headway_core::drive::{Concern, Concurrency, Deferral, Halt, HealthGate, Stage as Rollout, Window};
use headway_core::plan::Course;
use jiff::Timestamp;

use crate::driver::Fault;
use crate::extension::{Behaviour, Reply};
use crate::machines::Machines;
use crate::play::{PlayError, Stage};
use crate::script::{Command, LineFault, Script};
use crate::world::{Planner, Pool, World};

/// A script that could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum RehearsalError {
    /// A command does not fit the world as it is.
    #[error("`{command}`")]
    Command {
        /// The command.
        command: String,
        /// Why not.
        #[source]
        fault: LineFault,
    },
    /// What happened must not happen.
    #[error("the rehearsal ends here")]
    Play(#[from] PlayError),
}

/// Plays a script from a moment on, and writes the transcript: each command, and what happened since the one before.
///
/// # Errors
///
/// When a command names what is not there, or a promise is not kept; the transcript holds what happened until then.
pub fn rehearse(script: &Script, begin: Timestamp, transcript: &mut String) -> Result<Stage, RehearsalError> {
    rehearse_with(script, begin, &[], transcript)
}

/// The same with faults that the script does not have.
///
/// # Errors
///
/// As [`rehearse`].
pub fn rehearse_with(
    script: &Script,
    begin: Timestamp,
    faults: &[Fault],
    transcript: &mut String,
) -> Result<Stage, RehearsalError> {
    let mut stage = Stage::new(World::new(&script.version, script.machines, begin));
    stage.driver.faults.extend_from_slice(faults);
    let mut told = 0;
    // Writing into a text cannot fail.
    let _ = writeln!(transcript, "> {}", script.first);
    for (text, command) in &script.lines {
        let _ = writeln!(transcript, "> {text}");
        let done = perform(&mut stage, command);
        for moment in &stage.moments[told..] {
            let _ = writeln!(transcript, "{}", moment.line(begin));
        }
        told = stage.moments.len();
        match done {
            Ok(()) => {}
            Err(Failed::Line(fault)) => return Err(RehearsalError::Command { command: text.clone(), fault }),
            Err(Failed::Play(error)) => return Err(error.into()),
        }
    }
    Ok(stage)
}

enum Failed {
    Line(LineFault),
    Play(PlayError),
}

impl From<LineFault> for Failed {
    fn from(fault: LineFault) -> Self {
        Self::Line(fault)
    }
}

/// How a script names the control plane among the groups.
const CONTROL_PLANE: &str = "control-plane";

fn perform(stage: &mut Stage, command: &Command) -> Result<(), Failed> {
    let world = &mut stage.world;
    let now = world.now;
    match command {
        Command::Pool { kind, name, machines, version } => {
            if world.pools.iter().any(|pool| pool.id.name == *name) {
                return Err(LineFault::Twice(name.clone()).into());
            }
            let version = version.clone().unwrap_or_else(|| world.version.clone());
            world.pools.push(Pool::new(*kind, name, &version, Machines::new(*machines, &version, now)));
            // MachineDeployments come first, as they do in a topology.
            world.pools.sort_by_key(|pool| pool.id.kind);
        }
        Command::Versions(versions) if versions.is_empty() => world.planner = Planner::OneMinor,
        Command::Versions(versions) => world.planner = Planner::List(versions.clone()),
        Command::Extension { versions, workers } => {
            world.planner = Planner::Extension { versions: versions.clone(), workers: workers.clone(), down: None };
        }
        Command::ExtensionDown(why) => {
            if let Planner::Extension { down, .. } = &mut world.planner {
                down.clone_from(why);
            }
        }
        Command::Hooks => world.extensions.answered = Lifecycle::OF_UPGRADE.into(),
        Command::Hook(hook, behaviour) => {
            let Behaviour { reply, .. } = behaviour;
            world.extensions.behave(*hook, behaviour.clone());
            if *reply == Reply::Go {
                stage.driver.forget(*hook);
            }
        }
        Command::Upgrade(version) => world.target = version.clone(),
        Command::Run(duration) => {
            let until = duration.and_then(|duration| now.checked_add(duration).ok());
            stage.run(until).map_err(Failed::Play)?;
        }
        Command::Pause(is_paused) => {
            world.halt = is_paused.then(|| Halt::Paused("spec.paused".into()));
        }
        Command::Stop(is_stopped) => world.stop = *is_stopped,
        Command::Defer(name, is_deferred) => {
            let deferral = is_deferred.then(|| Deferral::Own("topology.cluster.x-k8s.io/defer-upgrade".into()));
            pool(world, name)?.deferral = deferral;
        }
        Command::Delete(name, is_gone) => {
            pool(world, name)?.course = Course::Leaving;
            if *is_gone {
                world.pools.retain(|pool| pool.id.name != *name);
            }
        }
        Command::Concurrency(count) => world.concurrency = Concurrency::new(*count),
        Command::Stage(name, groups) => {
            let found = groups.iter().map(|group| pool(world, group).map(|pool| pool.id.clone()));
            let groups: BTreeSet<WorkerGroup> = found.collect::<Result<_, _>>()?;
            let concurrency = world.concurrency;
            world.stages.push(Rollout { name: name.clone(), groups, concurrency });
        }
        Command::Annotate(key, true) => world.forbidding.push(key.clone()),
        Command::Annotate(key, false) => world.forbidding.retain(|known| known != key),
        Command::Soak(duration) => world.gates.soak = *duration,
        Command::Approval(approval) => world.gates.approval = *approval,
        Command::Approve(step) => {
            world.gates.approved.insert(step.clone());
        }
        Command::Unhealthy(level, rule, summary) => {
            let uid = rule.id().to_owned();
            let concern = Concern { uid, rule: *rule, level: *level, since: Some(now), summary: summary.clone() };
            let seen = Ok(vec![concern]);
            world.gates.health = Some(HealthGate { level: Level::Error, except: BTreeSet::new(), seen });
        }
        Command::Healthy => world.gates.health = None,
        Command::WindowOpen => world.gates.window = Window::Always,
        Command::WindowClosed(opens) => {
            let opens = opens.and_then(|opens| now.checked_add(opens).ok());
            world.gates.window = Window::Closed { since: Some(now), opens };
        }
        Command::Take(duration) => {
            world.machines.takes = *duration;
            world.pools.iter_mut().for_each(|pool| pool.machines.takes = *duration);
        }
        Command::NeverReady(name, is_broken) => {
            let machines = if name == CONTROL_PLANE { &mut world.machines } else { &mut pool(world, name)?.machines };
            if *is_broken {
                machines.are_broken = true;
            } else {
                machines.mend(now);
            }
        }
        Command::Keep(name, manager) => {
            let owner = if name == CONTROL_PLANE { &mut world.owner } else { &mut pool(world, name)?.owner };
            owner.clone_from(manager);
        }
        Command::Silent(is_silent) => world.is_silent = *is_silent,
        Command::Fault(fault) => stage.driver.faults.push(*fault),
    }
    Ok(())
}

fn pool<'a>(world: &'a mut World, name: &str) -> Result<&'a mut Pool, LineFault> {
    let found = world.pools.iter_mut().find(|pool| pool.id.name == name);
    found.ok_or_else(|| LineFault::NoGroup(name.to_owned()))
}

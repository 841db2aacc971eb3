//! `headway-bench operator`: what `headway-operator` costs, and how soon it tells.
//!
//! The released program runs against a real etcd and API server with nodes of real size, through a start, a rest and a
//! rolling update in compressed time. How often it would write in an update of real length is computed by its own
//! scheduler on a driven clock, as nobody waits for two hours.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::recording::Fleet;
use crate::tell::{answer, remark};

mod figures;
mod measure;
mod objects;
mod process;
mod rollout;
mod schedule;
mod table;
mod witness;
mod world;

pub(crate) use process::{NAMESPACE, Operator, Used, program};
pub(crate) use witness::follow;

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// Numbers of nodes.
    pub(crate) nodes: Vec<u32>,
    /// Into how much time the update is compressed.
    pub(crate) update: Duration,
    /// The program to measure, when it is not the one beside this one.
    pub(crate) program: Option<PathBuf>,
    /// Whether an update of real length is computed.
    pub(crate) clock: DrivenClock,
}

/// Whether an update of real length is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrivenClock {
    /// It is.
    Asked,
    /// It is not: no figure of it is told.
    LeftOut,
}

/// Of one number of nodes, everything.
#[derive(Debug)]
struct Result {
    server: measure::Measured,
    clock: Option<Clocked>,
}

/// What the scheduler would write.
#[derive(Debug)]
struct Clocked {
    update: schedule::Written,
    /// An hour in which no node of an update moves.
    held_up: schedule::Written,
    /// An hour without an update.
    idle: schedule::Written,
}

/// Measures and prints the table.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let program = program(options.program.as_deref())?;
    let mut results = Vec::new();
    for nodes in options.nodes.iter().copied() {
        let clock = match options.clock {
            DrivenClock::Asked => {
                remark(&format!("{nodes} nodes: an update of real length on a driven clock"))?;
                let begun = Instant::now();
                let clocked = Clocked {
                    update: schedule::update(nodes)?,
                    held_up: schedule::hour(Fleet::waiting(nodes))?,
                    idle: schedule::hour(Fleet::finished(nodes))?,
                };
                remark(&format!("{} looks in {} s", clocked.update.looks, begun.elapsed().as_secs()))?;
                Some(clocked)
            }
            DrivenClock::LeftOut => None,
        };
        results.push(Result { server: measure::measure(nodes, &program, options)?, clock });
    }
    answer(table::text(&figures::figures(&results), &results).trim_end())
}

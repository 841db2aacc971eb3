//! What can happen to a cluster of any form, and where an update of it can begin.

use headway_api::report::{Form, Report};

/// The forms that every scenario is told to.
pub(super) const FORMS: [Form; 3] = [Form::Standalone, Form::Hosted, Form::ClusterApi];

/// Where a cluster is when its story begins. Its workers are one pool of three nodes, unless the story says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// All of it is at the new version.
    AtRest,
    /// It is being installed.
    Installing,
    /// Its control plane has been on the way for 40 minutes, and no worker has begun.
    Begun,
    /// Its control plane is done. Of its workers one is done, one drains since five minutes, and one waits.
    Workers,
}

/// Whose nodes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// Those of the control plane; those of the workers in a form whose control plane has no nodes.
    ControlPlane,
    /// The workers that are always there.
    Workers,
    /// Another pool of workers.
    Others,
}

/// Where a node is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for its turn.
    Old,
    /// It was told to change, and nothing has begun.
    Asked,
    /// It has been drained since five minutes.
    Draining,
    /// Its pods are gone, and what comes next has begun.
    Emptied,
    /// It is being changed where it stands.
    Changing,
    /// It restarts.
    Rebooting,
    /// It is done.
    New,
    /// It cannot be changed.
    Failed,
    /// It drains, and that has failed.
    FailedToDrain,
}

/// What is wrong with a part of a control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ill {
    /// It is degraded, or cannot be rolled out.
    Degraded,
    /// It is not available.
    Unavailable,
    /// It has been on the way.
    Slow,
    /// It does not say whether it is available.
    Silent,
    /// It is on its way, and does not say its version.
    Nameless,
    /// It has its version, and goes on working.
    Busy,
}

/// What is wrong with a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ailment {
    /// It is not ready.
    NotReady,
    /// Its disk is full.
    DiskPressure,
}

/// A cluster of one form. What a form has no objects for is a [`lack`](World::lack).
pub(super) trait World {
    /// The version before the update, and the one that it goes to.
    fn versions(&self) -> (&'static str, &'static str);
    /// The name of a pool.
    fn pool(&self, group: Group) -> &'static str;
    /// The whole, as it is now.
    fn report(&self) -> Report;
    /// Notes that this form has no counterpart of something.
    fn lack(&mut self, what: &'static str);
    /// What was noted so.
    fn lacks(&self) -> &[&'static str];

    /// Begins.
    fn start(&mut self, start: Start);
    /// The pool has these nodes.
    fn nodes(&mut self, group: Group, steps: &[Step]);
    /// The pool is paused, or not any more.
    fn pause(&mut self, group: Group, paused: Paused);
    /// So many seconds pass, or come back.
    fn clock(&mut self, seconds: i64);
    /// A node has been unwell for some seconds.
    fn node_is(&mut self, at: usize, ailment: Ailment, seconds: i64);
    /// A node is gone.
    fn node_goes(&mut self, at: usize);
    /// A node comes, at the new version.
    fn node_comes(&mut self);
    /// A node tells nothing of its version.
    fn node_tells_nothing(&mut self, at: usize);
    /// A node is at the new version, and nothing says what it is to have.
    fn node_without_a_wish(&mut self, at: usize);
    /// Why a node failed.
    fn node_fails_for(&mut self, group: Group, at: usize, reason: &str);
    /// A node has been drained for so many minutes, and a budget lets a pod of it not go.
    fn budget_holds(&mut self, at: usize, minutes: i64);
    /// A change of configuration rolls out, and no version changes.
    fn configuration_changes(&mut self);
    /// The control plane, or what speaks for it, is alone seen.
    fn only_the_cluster_is_seen(&mut self);
    /// Nothing tells which version the cluster has.
    fn no_version_is_told(&mut self);
    /// So many parts of the control plane are unwell since some seconds.
    fn parts_are(&mut self, ill: Ill, count: usize, seconds: i64);

    /// The control plane has so many parts, of which so many are done.
    fn parts(&mut self, _total: usize, _done: usize) {
        self.lack("parts of a control plane that are counted");
    }
    /// The update began so many seconds ago.
    fn began(&mut self, _seconds: i64) {
        self.lack("a history that tells when the update began");
    }
    /// Nothing has changed of its parts for so many seconds.
    fn last_change(&mut self, _seconds: i64) {
        self.lack("parts that tell when they changed");
    }
    /// A part of the control plane that is not done is deleted.
    fn part_goes(&mut self) {
        self.lack("parts that are objects of their own");
    }
    /// An operator is there that is not of the release.
    fn foreign_operator(&mut self) {
        self.lack("operators");
    }
    /// The update before this one was left half way.
    fn previous_is_partial(&mut self) {
        self.lack("a history of versions");
    }
    /// The cluster says that its update fails, since some seconds.
    fn fails(&mut self, _seconds: i64) {
        self.lack("a word for a failing update");
    }
    /// The cluster says that its update may fail.
    fn may_fail(&mut self) {
        self.lack("a word for an update that may fail");
    }
    /// The cluster says nothing of whether its update fails.
    fn says_nothing_of_failing(&mut self) {
        self.lack("a word for a failing update that is always there");
    }
    /// The cluster says nothing of whether it progresses.
    fn says_nothing_of_progress(&mut self) {
        self.lack("a word for progress on which the answer rests");
    }
    /// The cluster is said to be on its way, though its history is complete.
    fn contradicts_itself(&mut self) {
        self.lack("a history that could contradict");
    }
    /// The update is one to the multi-architecture payload of the same version.
    fn goes_multi(&mut self) {
        self.lack("payloads of more than one architecture");
    }
    /// The same update is done.
    fn was_multi(&mut self) {
        self.lack("payloads of more than one architecture");
    }
    /// An administrator cordons a node.
    fn cordon(&mut self, _at: usize) {
        self.lack("a word for a cordon");
    }
    /// The configuration that a node has is an object that is gone.
    fn configuration_is_gone(&mut self, _at: usize) {
        self.lack("configurations apart from what they configure");
    }
    /// The pool's configuration cannot be made.
    fn pool_is_invalid(&mut self) {
        self.lack("pools whose configuration is made");
    }
    /// What speaks for the nodes says that they are degraded.
    fn spokesman_complains(&mut self) {
        self.lack("an object that speaks for the nodes");
    }
    /// An alert that counts is firing since yesterday, beside three that do not.
    fn alerts_fire(&mut self) {
        self.lack("alerts");
    }
    /// A node is chosen by two pools.
    fn two_pools_choose(&mut self, _at: usize) {
        self.lack("pools that choose nodes by label");
    }
    /// A new version is asked for, and nothing has come of it yet.
    fn another_version_is_asked_for(&mut self) {
        self.lack("a wish");
    }
    /// The workers may stay behind their control plane, and nobody asked them to follow.
    fn workers_are_not_asked(&mut self) {
        self.lack("pools that follow only when they are asked");
    }
    /// A node was being changed where it stands, and that failed.
    fn in_place_fails(&mut self, _at: usize) {
        self.lack("changes in place");
    }
    /// The workers are too far from their control plane.
    fn workers_are_too_old(&mut self) {
        self.lack("a word for workers that are too old");
    }
    /// The cluster's own API is out of reach.
    fn own_api_is_out_of_reach(&mut self) {
        self.lack("an API of its own beside the one that is asked");
    }
    /// Another cluster is kept beside this one, and is on its way.
    fn neighbour_moves(&mut self) {
        self.lack("neighbours");
    }
    /// A fourth machine comes for the three that there are to be; one is done, and one goes.
    fn surges(&mut self) {
        self.lack("machines that come before others go");
    }
    /// A machine drains for so many minutes, and no pod was seen.
    fn machine_drains(&mut self, _minutes: i64) {
        self.lack("machines that say what holds their drain");
    }
    /// The upgrade of the workers is put off.
    fn workers_are_put_off(&mut self) {
        self.lack("pools whose upgrade is put off");
    }
    /// A machine has not come for so many minutes.
    fn machine_does_not_come(&mut self, _minutes: i64) {
        self.lack("machines that are made");
    }
    /// The whole cluster is paused.
    fn is_paused(&mut self) {
        self.lack("clusters that are paused");
    }
    /// The target is two steps away.
    fn chains(&mut self) {
        self.lack("steps on the way");
    }
    /// An insight is forced by annotation.
    fn is_forced(&mut self) {
        self.lack("an annotation that forces an insight");
    }
}

/// Whether a pool is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paused {
    /// It is.
    Yes,
    /// It is not.
    No,
}

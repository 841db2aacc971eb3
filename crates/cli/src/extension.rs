//! `headway extension test`: the test extension (chained-upgrades.md, 8.1), until Ctrl-C.
//!
//! What is answered is decided in `core::extension::rehearsal`; `scripts` reads and writes the ConfigMaps, `shown` puts
//! each call on a line.

mod scripts;
mod shown;

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use headway_api::hooks::{Failure as Failed, Handler, Hook, Request, Response};
use headway_api::quoted::with_causes;
use headway_core::extension::rehearsal::{self, Call};
use headway_serve::certificate::Authority;
use headway_serve::hooks::{self, Extension as Serving};
use headway_serve::listen::Listener;
use headway_serve::tls::{Pem, Tls};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;

use self::scripts::Scripts;
use self::shown::{Lines, Told};
use crate::args::{Extension, ExtensionCommand, ExtensionTest};
use crate::failure::Failure;
use crate::{access, clock, output};

/// How often files are looked at.
const FILES: Duration = Duration::from_secs(2);

/// For so long the last lines are waited for at the end, should whoever reads them have stopped.
const LAST_LINES: Duration = Duration::from_secs(1);

/// Serves until told to stop.
pub(crate) fn run(args: &Extension) -> Result<ExitCode, Failure> {
    let ExtensionCommand::Test(args) = &args.command;
    access::runtime()?.block_on(serve(args))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(args: &ExtensionTest) -> Result<(), Failure> {
    let cluster = access::connect_or(&args.connection, "set KUBECONFIG, or give --kubeconfig").await?;
    let terminated = signal(SignalKind::terminate()).context("cannot hear signals")?;
    let interrupted = signal(SignalKind::interrupt()).context("cannot hear signals")?;
    let listener = Listener::bind(args.listen).map_err(anyhow::Error::new)?;
    let tls = tls(args, &listener)?;
    let (lines, mut printed) = shown::print().context("cannot print what is asked")?;
    let answering = Answering { scripts: Scripts::new(&cluster, args.connection.request_timeout), lines };
    output::remark(&format!("serving hooks on https://{}; Ctrl-C ends it", listener.address()));
    let router = hooks::router(Arc::new(answering));
    tokio::select! {
        served = listener.serve(&tls, router, stopped(interrupted, terminated)) => served.map_err(anyhow::Error::new)?,
        ended = &mut printed => return ended.unwrap_or(Ok(())),
    }
    match timeout(LAST_LINES, printed).await {
        Ok(Ok(ended)) => ended,
        // Nobody reads them, or nobody prints them any more: either way there is nothing left to say.
        Ok(Err(_)) | Err(_) => Ok(()),
    }
}

async fn stopped(mut interrupted: Signal, mut terminated: Signal) {
    tokio::select! {
        _ = interrupted.recv() => {}
        _ = terminated.recv() => {}
    }
}

/// The certificate that is shown: one from a folder, or one of our own.
fn tls(args: &ExtensionTest, listener: &Listener) -> anyhow::Result<Tls> {
    if let Some(folder) = &args.tls_dir {
        let pem = Pem::of_folder(folder)?;
        let tls = Tls::new(&pem, None).with_context(|| format!("cannot use {}", folder.display()))?;
        tokio::spawn(tls.clone().follow(folder.clone(), pem, FILES));
        return Ok(tls);
    }
    let address = listener.address().ip();
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    names.extend((!address.is_unspecified()).then(|| address.to_string()));
    names.extend(args.tls_name.iter().cloned());
    names.sort();
    names.dedup();
    let now = clock::now();
    let authority = Authority::new(now)?;
    let issued = authority.issue(&names, now)?;
    let tls = Tls::new(&issued.pem, None)?;
    match &args.write_ca {
        Some(file) => fs::write(file, &authority.certificate)
            .with_context(|| format!("cannot write {} of --write-ca", file.display()))?,
        None => output::remark(authority.certificate.trim_end()),
    }
    Ok(tls)
}

/// Answers from scripts.
struct Answering {
    scripts: Scripts,
    lines: Lines,
}

impl Serving for Answering {
    fn handlers(&self) -> Vec<Handler> {
        rehearsal::handlers()
    }

    async fn answer(&self, _handler: &str, request: Request) -> Response {
        let Some(call) = Call::of(&request) else {
            return Failed::new(request.hook(), "this extension does not serve it").into();
        };
        let answered = match call.script() {
            Ok(script) => self.scripts.answer(&script).await.map_err(|error| format!("{error:#}")),
            Err(refusal) => Err(with_causes(&refusal)),
        };
        let (response, origin) = match answered {
            Ok(answer) => (answer.response, Some(answer.origin)),
            Err(reason) => (call.failed(&reason), None),
        };
        let told = Told { hook: call.hook(), call: Some(call), response: &response, origin: origin.as_ref() };
        self.lines.tell(&told, clock::now());
        response
    }

    fn answered(&self, hook: Hook, response: &Response, _took: Duration) {
        match response {
            // Answered for us: who asked is not known, or it was too late.
            Response::Discovery(_) | Response::Failure(_) => {
                self.lines.tell(&Told { hook, call: None, response, origin: None }, clock::now());
            }
            Response::Lifecycle(_)
            | Response::GenerateUpgradePlan(_)
            | Response::CanUpdateMachine(_)
            | Response::CanUpdateMachineSet(_)
            | Response::UpdateMachine(_) => {}
        }
    }
}

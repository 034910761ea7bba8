/**
 * Runs one program that never outlives payrun's main process: when the channel to the main process closes (also by
 * kill -9), the program is stopped. Plain JavaScript in one file, because it must start quickly and have no
 * dependencies. It is its own session, so that Ctrl-C reaches only the main process and services stop in request.
 *
 * The main process sends { type: 'start', command, args, env, cwd, uid, gid, stopSignal, graceMs, logFile, maxLogBytes }
 * once, then 'quiet' (to get no more lines) or 'stop'. It receives { type: 'started', pid }, 'failed', 'line', and
 * finally { type: 'exited', code, signal }.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** Time for the output of an ended program to drain: a process that it started may keep it open. */
const DRAIN_MS = 1000;

let child;
let request;
let stopping = false;
let finished = false;
let forwardLines = true;

function send(message, then = () => undefined) {
  if (process.connected) process.send(message, then);
  else then();
}

/** A log of at most two files of `maxLogBytes`. A full disk must not stop the program, so write errors are ignored. */
function openLog(path, maxLogBytes) {
  mkdirSync(dirname(path), { recursive: true });
  let file = openSync(path, 'a', 0o600);
  let size = statSync(path).size;
  return (line) => {
    try {
      const bytes = Buffer.from(`${line}\n`);
      if (size + bytes.length > maxLogBytes) {
        closeSync(file);
        renameSync(path, `${path}.1`);
        file = openSync(path, 'a', 0o600);
        size = 0;
      }
      writeSync(file, bytes);
      size += bytes.length;
    } catch {
      return;
    }
  };
}

/**
 * On Linux the kernel also stops the program when this watchdog is killed; elsewhere the main process or the next start
 * does.
 */
function tiedToThisProcess(command, args, stopSignal) {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (setpriv === undefined) return [command, args];
  const works = spawnSync(setpriv, ['--pdeathsig', 'keep', 'true'], { stdio: 'ignore' }).status === 0;
  return works ? [setpriv, ['--pdeathsig', stopSignal.replace(/^SIG/, ''), '--', command, ...args]] : [command, args];
}

function signalGroup(signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has no process left.
  }
}

function stop() {
  if (stopping) return;
  stopping = true;
  if (child?.pid === undefined) process.exit(0);
  child.kill(request.stopSignal);
  setTimeout(() => signalGroup('SIGKILL'), request.graceMs);
}

/** Messages are sent in the background: to exit earlier would lose this one. */
function finish(message) {
  if (finished) return;
  finished = true;
  send(message, () => process.exit(0));
}

function start(message) {
  request = message;
  const writeLine = openLog(request.logFile, request.maxLogBytes);
  const [command, args] = tiedToThisProcess(request.command, request.args, request.stopSignal);
  const { env, cwd, uid, gid } = request;
  child = spawn(command, args, { env, cwd, uid, gid, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  child.once('error', (error) => {
    if (child.pid === undefined) finish({ type: 'failed', message: error.message });
  });
  if (child.pid === undefined) return;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      writeLine(text);
      if (forwardLines) send({ type: 'line', text });
    });
  }
  child.once('exit', (code, signal) => {
    signalGroup('SIGKILL');
    setTimeout(() => finish({ type: 'exited', code, signal }), DRAIN_MS);
  });
  child.once('close', (code, signal) => finish({ type: 'exited', code, signal }));
  send({ type: 'started', pid: child.pid });
}

function startOrReportFailure(message) {
  try {
    start(message);
  } catch (error) {
    finish({ type: 'failed', message: error.message });
  }
}

process.on('message', (message) => {
  if (message.type === 'start') startOrReportFailure(message);
  else if (message.type === 'quiet') forwardLines = false;
  else if (message.type === 'stop') stop();
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('SIGHUP', stop);

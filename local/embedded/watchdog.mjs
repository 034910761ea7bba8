/**
 * Runs one program so that it never outlives payrun's main process, however that ends: when the channel to the main
 * process closes (which a kill -9 does too), the program is stopped. Plain JavaScript in one file: it must start at
 * once and depend on nothing. It is its own session, so that a Ctrl-C in the terminal reaches the main process alone and
 * services stop in their order.
 *
 * The main process sends { type: 'start', command, args, env, cwd, uid, gid, stopSignal, graceMs, logFile, maxLogBytes }
 * once, then 'quiet' (lines are no longer wanted) or 'stop'. It is told { type: 'started', pid }, 'failed',
 * 'line', and at last { type: 'exited', code, signal }.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** How long the output of a program that has ended may take to drain: a stray grandchild may hold it open. */
const DRAIN_MS = 1000;

let child;
let order;
let stopping = false;
let finished = false;
let forwardLines = true;

function tell(message, then = () => undefined) {
  if (process.connected) process.send(message, then);
  else then();
}

/** A log of at most two files of `maxLogBytes`. A full disk must not stop the program, so failures to write are let go. */
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
 * Where the system offers it (Linux), the kernel also stops the program when this watchdog itself is killed; elsewhere
 * the main process, or the next start, does.
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
    // Nobody is left in the group.
  }
}

function stop() {
  if (stopping) return;
  stopping = true;
  if (child?.pid === undefined) process.exit(0);
  child.kill(order.stopSignal);
  setTimeout(() => signalGroup('SIGKILL'), order.graceMs);
}

/** A message is sent in the background: to exit before it has left would lose it. */
function finish(message) {
  if (finished) return;
  finished = true;
  tell(message, () => process.exit(0));
}

function start(message) {
  order = message;
  const writeLine = openLog(order.logFile, order.maxLogBytes);
  const [command, args] = tiedToThisProcess(order.command, order.args, order.stopSignal);
  const { env, cwd, uid, gid } = order;
  child = spawn(command, args, { env, cwd, uid, gid, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  child.once('error', (error) => {
    if (child.pid === undefined) finish({ type: 'failed', message: error.message });
  });
  if (child.pid === undefined) return;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      writeLine(text);
      if (forwardLines) tell({ type: 'line', text });
    });
  }
  child.once('exit', (code, signal) => {
    signalGroup('SIGKILL');
    setTimeout(() => finish({ type: 'exited', code, signal }), DRAIN_MS);
  });
  child.once('close', (code, signal) => finish({ type: 'exited', code, signal }));
  tell({ type: 'started', pid: child.pid });
}

function startOrSayWhyNot(message) {
  try {
    start(message);
  } catch (error) {
    finish({ type: 'failed', message: error.message });
  }
}

process.on('message', (message) => {
  if (message.type === 'start') startOrSayWhyNot(message);
  else if (message.type === 'quiet') forwardLines = false;
  else if (message.type === 'stop') stop();
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('SIGHUP', stop);

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../config/whole-file.ts';

/**
 * Ports below the range of outgoing connections (32768 and up on Linux). In that range a client that keeps connecting to
 * a stopped service can be given the service's own port, connect to itself, and so keep the service from restarting.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const ATTEMPTS = 200;
const POLL_MS = 50;

/** Whether `port` can be listened on now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A port that is free now, none of `except`. `pick` chooses a candidate from [low, high). */
export async function freePort(
  options: { host?: string; except?: readonly number[]; pick?: (low: number, high: number) => number } = {},
): Promise<number> {
  const pick = options.pick ?? randomInt;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = pick(FIRST_PORT, LAST_PORT + 1);
    if (options.except?.includes(port) !== true && (await isPortFree(port, options.host))) return port;
  }
  throw new Error(`no free port found between ${FIRST_PORT} and ${LAST_PORT}: stop the programs that use them`);
}

/** Waits at most `withinMs` until `port` is free. Returns whether it is. */
export async function waitForPort(port: number, host: string, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (await isPortFree(port, host)) return true;
    if (waitedMs >= withinMs) return false;
    await sleep(POLL_MS);
  }
}

/** The port saved in `file` if it is still free, else a new one, which is saved. */
export async function rememberedPort(file: string, except: readonly number[] = []): Promise<number> {
  const known = readPort(file);
  if (known !== undefined && !except.includes(known) && (await isPortFree(known))) return known;
  const port = await freePort({ except });
  writeWhole(file, `${port}\n`, 0o644);
  return port;
}

function readPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

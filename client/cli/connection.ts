import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { PayrunClient } from '../sdk/payrun-client.ts';
import { createPayrunClient } from '../sdk/payrun-client.ts';
import type { CommandIo } from './command-io.ts';
import { WrongInput } from './exit-code.ts';

const DEFAULT_URL = 'http://127.0.0.1:8700';

const unsetWhenEmpty = (value: unknown) => (value === '' ? undefined : value);

const environment = z.object({
  PAYRUN_URL: z.preprocess(
    unsetWhenEmpty,
    z.url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:8700' }).optional(),
  ),
  PAYRUN_TOKEN: z.preprocess(
    unsetWhenEmpty,
    z
      .string()
      .trim()
      .regex(/^[!-~]+$/, 'must be a token: letters, digits and signs, without spaces')
      .optional(),
  ),
  PAYRUN_HOME: z.preprocess(unsetWhenEmpty, z.string().optional()),
});

export interface Connection {
  url: string;
  /** Null: none was given and none was found. */
  token: string | null;
}

/** A client of the server that the environment names, or else of the one that runs from this folder. */
export async function connect(io: CommandIo): Promise<PayrunClient> {
  return createPayrunClient(await findConnection(io));
}

/**
 * Where the server is and who one is there: PAYRUN_URL and PAYRUN_TOKEN, else what a running payrun left in its data
 * folder (PAYRUN_HOME, or `.payrun` and then `.payrun/demo` in the working directory). The token from the data folder
 * is an administrator's, so it is never sent to another machine. Throws WrongInput naming every wrong variable.
 */
export async function findConnection({ env, cwd }: Pick<CommandIo, 'env' | 'cwd'>): Promise<Connection> {
  const settings = environment.safeParse(env);
  if (!settings.success) {
    const wrong = settings.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new WrongInput(wrong.join('; '));
  }
  const { PAYRUN_URL, PAYRUN_TOKEN, PAYRUN_HOME } = settings.data;
  const home = resolve(cwd, PAYRUN_HOME ?? '.payrun');
  const homes = [home, join(home, 'demo')];
  const running = await firstRunning(homes);
  const url = PAYRUN_URL ?? running?.serverUrl ?? DEFAULT_URL;
  if (PAYRUN_TOKEN !== undefined) return { url, token: PAYRUN_TOKEN };
  if (!isLoopback(url)) return { url, token: null };
  const ownHome = running?.serverUrl === url ? [running.home] : [];
  return { url, token: await firstToken([...ownHome, ...homes]) };
}

const servicesFile = z.looseObject({ serverUrl: z.url(), pid: z.coerce.number().int().positive().optional() });

async function firstRunning(homes: readonly string[]): Promise<{ home: string; serverUrl: string } | null> {
  for (const home of homes) {
    const text = await readIfThere(join(home, 'services.json'));
    const services = text === null ? null : servicesFile.safeParse(jsonOrNull(text));
    if (services?.success !== true || !isAlive(services.data.pid)) continue;
    return { home, serverUrl: services.data.serverUrl };
  }
  return null;
}

/** A file that a crashed payrun left behind must not hide the one that runs. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function firstToken(homes: readonly string[]): Promise<string | null> {
  for (const home of homes) {
    const token = (await readIfThere(join(home, 'admin-token')))?.trim();
    if (token !== undefined && token !== '') return token;
  }
  return null;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new WrongInput(`cannot read ${path} (${String(code)}): run this as the user who started payrun`);
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

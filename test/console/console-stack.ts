import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openConsoleBrowser } from '../../fixtures/console/console-browser.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Nothing of an installation that the environment names. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name === 'PAYRUN_TEMPORAL_CLI' || !/^(PAYRUN_|TEMPORAL_|DATABASE_)/.test(name),
  ),
);

/** `payrun up` with the sandbox in a folder of its own and on a free port, and a browser before it. */
export interface ConsoleStack {
  url: string;
  /** Signed in by the link that was printed for an example user. */
  personNamed: (name: string, options?: BrowserContextOptions) => Promise<Page>;
  /** What the browsers complained about: violated policies, errors of scripts. */
  complaints: string[];
  /** Has the simulated provider do something. */
  sandbox: (operation: string, body: unknown) => Promise<void>;
  /** Saves what is seen, where `PAYRUN_TEST_PICTURES` names a folder. */
  picture: (page: Page, name: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** `environment`: more of it, for a console at this address. */
export async function startConsoleStack(
  environment: (url: string) => Promise<Record<string, string>> = () => Promise.resolve({}),
): Promise<ConsoleStack> {
  const port = String(await freePort());
  const more = await environment(`http://localhost:${port}`);
  const folder = newFolderInMemory('console');
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'payrun'), 'up'], {
    cwd: folder,
    env: { ...env, ...more, PAYRUN_HTTP_PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await outputUntil(child, 'For the command line');
  const url = /Console: +(\S+)/.exec(output)?.[1] ?? '';
  const { signedIn, complaints, close } = await openConsoleBrowser();
  return {
    url,
    complaints,
    sandbox: (operation, body) => controlSandbox(folder, operation, body),
    picture: takePicture,
    personNamed: (name, options) => signedIn(linkOf(output, name), options),
    stop: async () => {
      await close();
      child.kill('SIGINT');
      if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function controlSandbox(folder: string, operation: string, body: unknown): Promise<void> {
  const port = readFileSync(join(folder, '.payrun', 'sandbox-port'), 'utf8').trim();
  const response = await fetch(`http://127.0.0.1:${port}/__sandbox/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the sandbox refused ${operation}: ${await response.text()}`);
}

async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PAYRUN_TEST_PICTURES;
  if (folder === undefined) return;
  const file = `${name.replaceAll(/[^a-z0-9-]+/gi, '-').replace(/^-/, '')}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}

function linkOf(output: string, name: string): string {
  const link = new RegExp(`${name}[^:\\n]*: (http\\S+)`).exec(output)?.[1];
  if (link === undefined) throw new Error(`payrun up printed no link for ${name}:\n${output}`);
  return link;
}

async function outputUntil(child: ChildProcess, text: string): Promise<string> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const onPiece = (piece: Buffer): void => {
      output += piece.toString();
      if (output.includes(text)) resolve();
    };
    child.stdout?.on('data', onPiece);
    child.stderr?.on('data', onPiece);
    child.once('close', () => reject(new Error(`payrun up ended:\n${output}`)));
  });
  return output;
}

const AXE = createRequire(import.meta.url).resolve('axe-core');

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { target: string[] }[] }[];
}

/** What axe-core finds serious or critical on the page as it is. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the policy of the page does not bind.
  await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate<AxeResult>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';

const PAYRUN = join(import.meta.dirname, '..', '..', 'bin', 'payrun');

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface RunningDemo {
  folder: string;
  child: ChildProcess;
  output: () => string;
  ended: Promise<{ code: number | null; stdout: string }>;
}

/** The demo as a person starts it, in an empty folder. It is killed after the test. */
export function startDemo(...options: string[]): RunningDemo {
  const folder = newFolderInMemory('demo');
  folders.push(folder);
  const args = [PAYRUN, 'demo', ...options, '--json'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout }));
  });
  return { folder, child, output: () => stdout + stderr, ended };
}

export async function untilShown({ output }: RunningDemo, text: string): Promise<void> {
  while (!output().includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The processes in the pid files below a folder in which payrun was started. */
export function servicePids({ folder }: Pick<RunningDemo, 'folder'>): number[] {
  return readdirSync(join(folder, '.payrun'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.pid') && !path.endsWith('postmaster.pid'))
    .map((path) => JSON.parse(readFileSync(join(folder, '.payrun', path), 'utf8')) as { child: { pid: number } })
    .map(({ child }) => child.pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

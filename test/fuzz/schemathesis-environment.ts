import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const requirements = path.join(import.meta.dirname, 'requirements.txt');

/** The installation and the output of the fuzzer; not in the repository. */
export const cacheFolder = path.resolve(import.meta.dirname, '../../node_modules/.cache/payrun-fuzz');

/**
 * The path of the fuzzer's program, in a virtual environment that is created when it does not exist. Each pinned version
 * has its own environment.
 * @throws Error that says what is missing: python3, or the package index
 */
export function schemathesisProgram(): string {
  const pin = readFileSync(requirements, 'utf8').trim().replace('==', '-');
  const folder = path.join(cacheFolder, pin);
  const program = path.join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  mkdirSync(cacheFolder, { recursive: true });
  run('python3', ['-m', 'venv', folder], 'needs python3 (3.10 or later) with its venv module');
  run(path.join(folder, 'bin', 'pip'), ['install', '--quiet', '-r', requirements], `could not install ${pin}`);
  return program;
}

/**
 * Runs the fuzzer against the description at an address; returns its exit code, 0 only when it found nothing. `args` are passed
 * on; `examples` is how many it tries for each operation if they do not say so.
 */
export async function runSchemathesis(
  { config, address, examples }: { config: string; address: string; examples: number },
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const most = args.some((arg) => arg.startsWith('--max-examples')) ? [] : ['--max-examples', String(examples)];
  const fuzzer = spawn(schemathesisProgram(), ['--config-file', config, 'run', address, ...most, ...args], {
    cwd: cacheFolder,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  const [code] = (await once(fuzzer, 'exit')) as [number | null];
  return code ?? 1;
}

function run(command: string, args: readonly string[], problem: string): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the fuzzer ${problem}${error ? `: ${error.message}` : ''}`);
}

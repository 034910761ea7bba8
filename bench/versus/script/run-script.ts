import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultAccount } from '../../../sandbox/config/accounts.ts';
import type { Contender, Task } from '../contender.ts';
import { prepareRows } from '../prepare-rows.ts';

const SCRIPT = fileURLToPath(new URL('pay.ts', import.meta.url));

export const REFERENCES = ['plain', 'unique', 'lookup'] as const;

/** The simple script, from its start to its end. After a kill it is restarted with the same command. */
export const scriptContender = (workers: number, reference: (typeof REFERENCES)[number]): Contender => ({
  pay: async ({ stack, rows, killAt, report }: Task) => {
    const folder = join(stack.home, 'script');
    mkdirSync(folder, { recursive: true });
    const [rowsFile, resultsFile] = [join(folder, 'rows.json'), join(folder, 'results.csv')];
    writeFileSync(rowsFile, JSON.stringify(await prepareRows(stack.sandboxUrl, rows)));
    const start = (): ChildProcess =>
      spawn(
        process.execPath,
        ['--import', 'tsx', SCRIPT, stack.sandboxUrl, rowsFile, resultsFile, String(workers), reference],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: {
            PATH: process.env['PATH'],
            API_KEY: defaultAccount.apiKey,
            ACCESS_KEY_ID: defaultAccount.accessKeyId,
            SECRET_ACCESS_KEY: defaultAccount.secretAccessKey,
          },
        },
      );
    const startedMs = performance.now();
    let script = start();
    const killed = killAt?.then(() => {
      script.kill('SIGKILL');
      report('versus: the script was killed and is restarted');
    });
    // A killed script has no exit code.
    for (let [code] = await exitOf(script); code !== 0; [code] = await exitOf(script)) {
      if (code !== null) throw new Error(`the script ended with exit code ${code}`);
      script = start();
    }
    const seconds = (performance.now() - startedMs) / 1000;
    await killed;
    return { seconds, saidPaid: paidIn(resultsFile), rowOf: (referenceId) => referenceId };
  },
});

const exitOf = async (child: ChildProcess): Promise<[number | null]> => (await once(child, 'exit')) as [number | null];

function paidIn(resultsFile: string): Set<string> {
  if (!existsSync(resultsFile)) return new Set();
  const lines = readFileSync(resultsFile, 'utf8').split('\n');
  return new Set(lines.flatMap((line) => (line.endsWith(',completed') ? [line.split(',')[0] ?? ''] : [])));
}

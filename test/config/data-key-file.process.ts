import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, '../../config/data-key-file.ts');

test('of several processes that make the key file at the same time, all have the key of one of them', async () => {
  const home = temporaryFolder();
  const script = `
    import { ensureDataKeyFile, keptDataKeys } from ${JSON.stringify(MODULE)};
    ensureDataKeyFile(process.argv[1]);
    console.log(keptDataKeys(process.argv[1]).all.map(({ id }) => id).join());`;
  const start = () =>
    run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, home], {
      cwd: join(import.meta.dirname, '../..'),
    });
  const outputs = await Promise.all([start(), start(), start(), start()]);
  expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  expect(outputs[0].stdout.trim()).toMatch(/^[0-9a-f]{16}$/);
  expect(readdirSync(home)).toEqual(['data-key']);
  expect(readFileSync(join(home, 'data-key'), 'utf8').trim().split('\n')).toHaveLength(1);
});

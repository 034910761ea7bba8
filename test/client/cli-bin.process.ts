import { detailOf } from '../server/fake-inbox.ts';
import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { aRun } from '../server/application-records.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aCommandLine } from './cli-harness.ts';

const PAYRUN = join(import.meta.dirname, '../../bin/payrun');

it('bin/payrun works through a link, from a folder with another tsconfig.json', async () => {
  const { application, folder, url } = await aCommandLine({ 'tsconfig.json': '{ broken' });
  application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
  await symlink(PAYRUN, join(folder, 'payrun-link'));
  const env = { PATH: process.env.PATH, PAYRUN_URL: url, PAYRUN_TOKEN: TOKENS.viewer };
  const { stdout } = await promisify(execFile)(
    join(folder, 'payrun-link'),
    ['show', '018f2a00-0000-7000-8000-000000000001', '--json'],
    {
      cwd: folder,
      env,
    },
  );
  expect(JSON.parse(stdout)).toEqual({ ...detailOf(aRun()), review: application.review });
});

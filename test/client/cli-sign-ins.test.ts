import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSignIn } from '../../config/sign-ins.ts';
import { aRun } from '../server/application-records.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';

/** A command line on which a maker and a checker are signed in, and nothing is in the environment. */
async function signedInTwice() {
  const line = await aCommandLine();
  line.application.runs.set(RUN, aRun());
  const home = join(line.folder, '.payrun');
  addSignIn(home, { url: line.url, login: 'mia', token: TOKENS.maker }, Date.now);
  addSignIn(home, { url: line.url, login: 'chris', token: TOKENS.checker }, Date.now);
  return (args: string[], env = {}) => line.run(args, { role: null, env });
}

describe('who acts', () => {
  it.each([
    ['before the command', ['--as', 'chris', 'approve', RUN, '--yes']],
    ['after it', ['approve', RUN, '--yes', '--as', 'chris']],
  ])('is named by --as, %s', async (_, args) => {
    const run = await signedInTwice();
    const { code, stderr } = await run(args);
    expect(code).toBe(0);
    expect(stderr.split('\n')[0]).toBe('Acting as A checker (checker), checker.');
  });

  it('is the user whom --as names, with that user’s rights', async () => {
    const run = await signedInTwice();
    expect(await run(['approve', RUN, '--yes', '--as', 'mia'])).toMatchObject({ code: 4 });
  });

  it('is named by PAYRUN_AS', async () => {
    const run = await signedInTwice();
    expect(await run(['approve', RUN, '--yes'], { PAYRUN_AS: 'chris' })).toMatchObject({ code: 0 });
  });

  it('must be chosen if several are signed in', async () => {
    const run = await signedInTwice();
    const { code, stderr } = await run(['approve', RUN, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toBe('payrun: several users are signed in here: choose who acts with --as chris or --as mia\n');
  });
});

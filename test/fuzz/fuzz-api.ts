import path from 'node:path';
import type { Role } from '../../domain/users/role.ts';
import { installUser } from '../../store/users/owner-users.ts';
import { startTestStack } from '../helpers/stack-under-test.ts';
import { runSchemathesis, schemathesisProgram } from './schemathesis-environment.ts';

interface Run {
  login: string;
  roles: Role[];
  args: string[];
}

/** Whoever calls these with what they were told of themselves is signed out: nothing after it would be tried. */
const ENDING = ['revokeToken', 'disableUser', 'removeRole', 'limitUser'];
const WITHOUT_ENDING = ENDING.flatMap((operation) => ['--exclude-operation-id', operation]);
const ENDING_ALONE = ENDING.flatMap((operation) => ['--include-operation-id', operation]);

/** It takes a code of an invitation, which takes the place of a token. */
const ACCEPTANCE = 'acceptInvitation';
const MOST = [...WITHOUT_ENDING, '--exclude-operation-id', ACCEPTANCE, '--exclude-checks', 'ignored_auth'];

/**
 * A user with every role but the administrator's, which excludes all others, and an administrator. Whoever shows a wrong token or
 * code waits for seconds after a few tries, so both have runs of their own, with few examples.
 */
const RUNS: readonly Run[] = [
  {
    login: 'fuzz-all-roles',
    roles: ['maker', 'checker', 'treasurer', 'onboarder'],
    args: MOST,
  },
  {
    login: 'fuzz-administrator',
    roles: ['administrator'],
    args: MOST,
  },
  {
    login: 'fuzz-ending',
    roles: ['administrator'],
    args: [...ENDING_ALONE, '--exclude-checks', 'ignored_auth', '--max-examples', '5'],
  },
  {
    login: 'fuzz-wrong-codes',
    roles: ['administrator'],
    args: ['--include-operation-id', ACCEPTANCE, '--phases', 'examples,fuzzing', '--max-examples', '5'],
  },
  {
    login: 'fuzz-wrong-tokens',
    roles: ['maker', 'checker', 'treasurer', 'onboarder'],
    args: ['--checks', 'ignored_auth', '--phases', 'fuzzing', '--max-examples', '1'],
  },
];

/**
 * Starts all of payrun with a sandbox, runs schemathesis against the description of payrun's API with all its checks, and returns
 * the exit code: 0 only when nothing was found. Arguments are passed on, e.g. `--max-examples 25 --seed 1`.
 */
async function fuzzApi(given: readonly string[]): Promise<number> {
  // Before anything is started: it may have to be installed.
  schemathesisProgram();
  const payrun = await startTestStack();
  const { stack } = payrun;
  try {
    const address = `${stack.addresses.serverUrl}/api/v1/openapi.json`;
    const config = path.join(import.meta.dirname, 'schemathesis-api.toml');
    const codes: number[] = [];
    for (const { login, roles, args } of RUNS) {
      const token = await installUser(stack.ownerDatabaseUrl, { login, name: login, roles }, Date.now);
      const target = { config, address, examples: 100 };
      codes.push(await runSchemathesis(target, [...given, ...args], { PAYRUN_TOKEN: token }));
    }
    return Math.max(...codes);
  } finally {
    await payrun.stop();
  }
}

process.exitCode = await fuzzApi(process.argv.slice(2));

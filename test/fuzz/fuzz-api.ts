import path from 'node:path';
import { installUser } from '../../store/users/owner-users.ts';
import { startTestStack } from '../helpers/stack-under-test.ts';
import { runSchemathesis, schemathesisProgram } from './schemathesis-environment.ts';

/**
 * Starts all of payrun with a sandbox, runs schemathesis against the description of payrun's API as a user with every role but
 * the administrator's (which excludes all others), then as an administrator, and returns the exit code: 0 only when nothing was
 * found. Arguments are passed on, e.g. `--max-examples 25 --seed 1`.
 */
async function fuzzApi(args: readonly string[]): Promise<number> {
  // Before anything is started: it may have to be installed.
  schemathesisProgram();
  const payrun = await startTestStack();
  const { stack } = payrun;
  try {
    const address = `${stack.addresses.serverUrl}/api/v1/openapi.json`;
    const config = path.join(import.meta.dirname, 'schemathesis-api.toml');
    const codes: number[] = [];
    for (const roles of [['maker', 'checker', 'treasurer', 'onboarder'], ['administrator']] as const) {
      const user = { login: `fuzz-${roles[0]}`, name: `Fuzzer, ${roles[0]}`, roles: [...roles] };
      const token = await installUser(stack.ownerDatabaseUrl, user, Date.now);
      codes.push(await runSchemathesis({ config, address, examples: 100 }, args, { PAYRUN_TOKEN: token }));
    }
    return Math.max(...codes);
  } finally {
    await payrun.stop();
  }
}

process.exitCode = await fuzzApi(process.argv.slice(2));

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { installUser } from '../../store/users/owner-users.ts';
import { startTestStack } from '../helpers/stack-under-test.ts';
import { cacheFolder, schemathesisProgram } from './schemathesis-environment.ts';

/**
 * Starts all of payrun with a sandbox, runs schemathesis against the description of payrun's API as a user with every role but
 * the administrator's (which excludes all others), then as an administrator, and returns the exit code: 0 only when nothing was
 * found. Arguments are passed on, e.g. `--max-examples 25 --seed 1`.
 */
async function fuzzApi(args: readonly string[]): Promise<number> {
  const program = schemathesisProgram();
  const payrun = await startTestStack();
  const { stack } = payrun;
  try {
    const address = `${stack.addresses.serverUrl}/api/v1/openapi.json`;
    const examples = args.some((arg) => arg.startsWith('--max-examples')) ? [] : ['--max-examples', '100'];
    const config = path.join(import.meta.dirname, 'schemathesis-api.toml');
    const codes: number[] = [];
    for (const roles of [['maker', 'checker', 'treasurer', 'onboarder'], ['administrator']] as const) {
      const user = { login: `fuzz-${roles[0]}`, name: 'Fay Fuzzer', roles: [...roles] };
      const token = await installUser(stack.ownerDatabaseUrl, user, Date.now);
      const fuzzer = spawn(program, ['--config-file', config, 'run', address, ...examples, ...args], {
        cwd: cacheFolder,
        stdio: 'inherit',
        env: { ...process.env, PAYRUN_TOKEN: token },
      });
      const [code] = (await once(fuzzer, 'exit')) as [number | null];
      codes.push(code ?? 1);
    }
    return Math.max(...codes);
  } finally {
    await payrun.stop();
  }
}

process.exitCode = await fuzzApi(process.argv.slice(2));

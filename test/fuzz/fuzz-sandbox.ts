import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultAccount } from '../../sandbox/config/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { makeSamples, type SampleAnswer, type SampleIds, type Send } from './sample-resources.ts';
import { cacheFolder, schemathesisProgram } from './schemathesis-environment.ts';

/** Half of the ids that are sent name something that there is; the others are made up. */
const KNOWN_SHARE = 0.5;

/** Amounts that most currencies can hold, and some that few can. */
const amounts = [1, 100, 250.5, 10_013, 99.99, 0.001];

/**
 * Starts a sandbox with one of everything, has schemathesis run all that it knows against the description that it
 * serves, and ends with its exit code: 0 only when nothing was found. Arguments are passed on, e.g.
 * `--max-examples 25 --seed 1`.
 */
async function fuzzSandbox(args: readonly string[]): Promise<number> {
  const program = schemathesisProgram();
  const sandbox = await startSandbox({ port: 0, seed: 7, limitPerSecond: 0, limitPerDay: 0, answers: 'plain' });
  try {
    const [token, otherToken] = [await signIn(sandbox.url), await signIn(sandbox.url)];
    const samples = await makeSamples(sendTo(sandbox.url, token));
    const config = path.join(cacheFolder, 'schemathesis.toml');
    writeFileSync(config, configWith(samples));
    const examples = args.some((arg) => arg.startsWith('--max-examples')) ? [] : ['--max-examples', '1000'];
    const address = `${sandbox.url}/__sandbox/openapi.json`;
    const fuzzer = spawn(program, ['--config-file', config, 'run', address, ...examples, ...args], {
      cwd: cacheFolder,
      stdio: 'inherit',
      env: {
        ...process.env,
        SANDBOX_API_KEY: defaultAccount.apiKey,
        SANDBOX_TOKEN: token,
        SANDBOX_OTHER_TOKEN: otherToken,
      },
    });
    const [code] = (await once(fuzzer, 'exit')) as [number | null];
    const { invariantHolds, requests } = sandbox.ledger();
    console.log(`The sandbox had ${requests.total} requests; its books ${invariantHolds ? 'agree' : 'DO NOT AGREE'}.`);
    return invariantHolds ? (code ?? 1) : 1;
  } finally {
    await sandbox.close();
  }
}

/** The settings of this folder, and the ids that fields of the same name are sometimes given. */
function configWith(samples: SampleIds): string {
  const lines = [readFileSync(path.join(import.meta.dirname, 'schemathesis.toml'), 'utf8')];
  for (const [name, values] of Object.entries({ ...samples, amount: amounts })) {
    lines.push(`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`);
  }
  lines.push('[parameters]');
  for (const name of Object.keys({ ...samples, amount: amounts })) {
    const binding = `{ dictionary = "${name}", probability = ${KNOWN_SHARE} }`;
    if (name !== 'amount') lines.push(`"path.${name}" = ${binding}`);
    lines.push(`"body.${name}" = ${binding}`);
  }
  return `${lines.join('\n')}\n`;
}

const sendTo =
  (url: string, token: string): Send =>
  async (method, address, body) => {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: {
        'x-api-key': defaultAccount.apiKey,
        ...(token ? { authorization: token } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as SampleAnswer['body'] };
  };

async function signIn(url: string): Promise<string> {
  const { accessKeyId, secretAccessKey } = defaultAccount;
  const { body } = await sendTo(url, '')('POST', '/users/v1/authenticate', { accessKeyId, secretAccessKey });
  const token: unknown = body['token'];
  if (typeof token === 'string') return token;
  throw new Error('the sandbox did not let the fuzzer sign in');
}

process.exitCode = await fuzzSandbox(process.argv.slice(2));

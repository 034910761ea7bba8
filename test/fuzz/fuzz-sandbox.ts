import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { makeSamples, type SampleAnswer, type SampleIds, type Send } from './sample-resources.ts';
import { cacheFolder, runSchemathesis, schemathesisProgram } from './schemathesis-environment.ts';

/** The share of ids in requests that exist; the others are made up. */
const KNOWN_SHARE = 0.5;

/** Amounts that are valid in most currencies, and some that are valid in few. */
const amounts = [1, 100, 250.5, 10_013, 99.99, 0.001];

/**
 * Starts a sandbox with one resource of every kind, runs schemathesis against its OpenAPI description, and returns the
 * exit code of schemathesis: 0 only when it found nothing. Arguments are passed on, e.g.
 * `--max-examples 25 --seed 1`.
 */
async function fuzzSandbox(args: readonly string[]): Promise<number> {
  // Before anything is started: it may have to be installed.
  schemathesisProgram();
  const sandbox = await startSandbox({ port: 0, seed: 7, limitPerSecond: 0, limitPerDay: 0, answers: 'plain' });
  try {
    const [token, otherToken] = [await signIn(sandbox.url), await signIn(sandbox.url)];
    const samples = await makeSamples(sendTo(sandbox.url, token));
    const config = path.join(cacheFolder, 'schemathesis.toml');
    writeFileSync(config, configWith(samples));
    const address = `${sandbox.url}/__sandbox/openapi.json`;
    const code = await runSchemathesis({ config, address, examples: 1_000 }, args, {
      SANDBOX_API_KEY: defaultAccount.apiKey,
      SANDBOX_TOKEN: token,
      SANDBOX_OTHER_TOKEN: otherToken,
    });
    const { invariantHolds, requests } = sandbox.ledger();
    console.log(
      `The sandbox had ${requests.total} requests; its books ${invariantHolds ? 'balance' : 'DO NOT BALANCE'}.`,
    );
    return invariantHolds ? code : 1;
  } finally {
    await sandbox.close();
  }
}

/** The settings of this folder, and the existing ids for fields of the same name. */
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

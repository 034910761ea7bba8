import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { asText, Caller, type Loose } from './a-sandbox.ts';

const PAYRUN = join(import.meta.dirname, '../../bin/payrun');
const API_KEY = 'sandbox-api-key';

/** Starts `payrun sandbox` as a separate process, after the shell commands. */
async function aProcess(stateFile: string, shell = 'true'): Promise<{ child: ChildProcess; caller: Caller }> {
  const command = `${shell}; exec "$0" "$@"`;
  const args = [process.execPath, PAYRUN, 'sandbox', '--limit', '0', '--state', stateFile];
  const child = spawn('/bin/sh', ['-c', command, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^payrun sandbox is ready on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return { child, caller: new Caller({ url } as Caller['sandbox'], API_KEY) };
  }
  throw new Error('the sandbox ended before it was ready');
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

test('after a kill under load, every payment whose creation was answered exists once', async () => {
  const stateFile = join(temporaryFolder(), 'state.jsonl');
  const { child, caller } = await aProcess(stateFile);
  await caller.signIn();
  const beneficiaryId = await caller.aBeneficiary();
  const answered: string[] = [];
  let enough: () => void = () => undefined;
  const manyAnswered = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const load = Array.from({ length: 8 }, async (_, lane) => {
    for (let row = 0; ; row++) {
      const referenceId = `${lane}/${row}`;
      const payment = await caller.aPayment({ beneficiaryId }, { referenceId, uniqueReferenceId: true });
      await caller.fund(payment);
      answered.push(`${referenceId} ${asText(payment['simplePaymentId'])}`);
      if (answered.length === 60) enough();
    }
  }).map((lane) => lane.catch(() => undefined));
  await manyAnswered;
  await killed(child);
  await Promise.all(load);
  const restarted = (await aProcess(stateFile)).caller;
  restarted.token = caller.token;
  const found = (await restarted.post('/simple-payments/v1/find')).body['data'] as unknown as Loose[];
  const kept = found.map((payment) => `${asText(payment['referenceId'])} ${asText(payment['simplePaymentId'])}`);
  expect(kept).toEqual(expect.arrayContaining(answered));
  const ledger = (await restarted.get('/__sandbox/ledger')).body;
  expect(ledger).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
});

test('when the file cannot grow, a call is answered with 503, has no effect, and leaves no partial line', async () => {
  const stateFile = join(temporaryFolder(), 'state.jsonl');
  // Limits files to 8 blocks of 512 or 1024 bytes, so that a write ends in the middle of a line.
  const { child, caller } = await aProcess(stateFile, 'ulimit -f 8');
  await caller.signIn();
  let created = 0;
  let answer = await caller.post('/beneficiaries/v1/create', aNamedBeneficiary(created));
  for (; answer.status === 200; created++) {
    answer = await caller.post('/beneficiaries/v1/create', aNamedBeneficiary(created + 1));
  }
  expect([answer.status, answer.body['code']]).toEqual([503, 'state_not_kept']);
  expect(answer.body['message']).toContain('EFBIG');
  expect((await caller.post('/beneficiaries/v1/find')).body['data']).toHaveLength(created);
  const { status } = await caller.post('/__sandbox/balance', { currency: 'USD', credit: 'x'.repeat(3) });
  expect(status).toBe(400);
  expect(readFileSync(stateFile, 'utf8').endsWith('}\n')).toBe(true);
  const sizeBytes = statSync(stateFile).size;
  await killed(child);
  const restarted = (await aProcess(stateFile)).caller;
  restarted.token = caller.token;
  expect(statSync(stateFile).size).toBe(sizeBytes);
  expect((await restarted.post('/beneficiaries/v1/find')).body['data']).toHaveLength(created);
  expect((await restarted.post('/beneficiaries/v1/create', aNamedBeneficiary(0))).status).toBe(200);
});

const aNamedBeneficiary = (number: number): unknown => ({
  country: 'DE',
  entityType: 'company',
  companyName: `Schmidt ${number}`,
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Commerzbank',
    bankAccountHolderName: `Schmidt ${number}`,
    iban: 'DE89370400440532013000',
  },
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPayrunClient, FileRefusedError, type PayrunClient } from '../../client/sdk/index.ts';
import { type Profile, withColumns } from '../../domain/import-profiles/profile.ts';
import { profileHash } from '../../domain/import-profiles/profile-hash.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import type { RunFinding } from '../../domain/runs/run-finding.ts';
import { germanProfile, germanRow, germanSheet } from '../helpers/german-sheet.ts';
import { beLive } from '../helpers/going-live.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, newRows, reject, submitRows } from '../helpers/run-under-test.ts';
import { instructionsOf } from '../helpers/test-payees.ts';

/** A profile is known once a run that it read was approved, and the next sheet with its headers needs none. Through HTTP. */

const FIRST = { apiKey: 'first-key', accessKeyId: 'first-id', secretAccessKey: 'first-secret' };
const SECOND = { apiKey: 'second-key', accessKeyId: 'second-id', secretAccessKey: 'second-secret' };

let payrun: PayrunUnderTest;
let maker: PayrunClient;

beforeAll(async () => {
  payrun = await startPayrun({
    credentials: FIRST,
    sandbox: { accounts: [FIRST, { ...SECOND, webhookUrl: null }] },
  });
  await beLive(payrun.database);
  const other = { name: 'second', apiUrl: payrun.sandbox.url, credentials: SECOND };
  await payrun.addAccount({ ...other, requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 });
  maker = createPayrunClient({ url: payrun.serverUrl, token: payrun.maker.token });
  // From here on the provider's reference data is recorded.
  for (const account of ['default', 'second']) await reject(payrun, await submitRows(payrun, newRows(1), { account }));
});
afterAll(() => payrun.stop());

/** Sheets with headers that no other test has. */
function aSheet(amounts: string) {
  const profile = germanProfile(newRows(1)[0]!, amounts);
  const rows = () => newRows(2).map(germanRow);
  /** As it comes every month, with other rows. */
  const month = (account = 'default', of = rows()) => ({
    ...{ fileName: 'lieferanten.csv', file: germanSheet(of, amounts), account },
  });
  return { profile, hash: profileHash(profile).slice(0, 12), rows, month };
}

async function submitted(run: Parameters<PayrunClient['submitRun']>[0]): Promise<string> {
  const { runId } = await maker.submitRun(run);
  await untilRun(payrun.application, runId, 'in_approval');
  return runId;
}

async function approved(run: Parameters<PayrunClient['submitRun']>[0]): Promise<string> {
  const runId = await submitted(run);
  await approve(payrun, runId);
  return runId;
}

async function findingOf(runId: string): Promise<RunFinding | null> {
  const { findings } = (await payrun.application.findReview(runId, null))!;
  return findings.find(({ kind }) => kind === 'new_profile') ?? null;
}

const profileOf = async (runId: string) => (await maker.getRun({ runId })).profile;

const UNKNOWN = { problems: [{ code: 'unknown_header' }] };

test('nobody finds a profile that no run was read by, or one that was not approved', async () => {
  const { profile, hash, month } = aSheet('Summe');
  await expect(maker.submitRun(month())).rejects.toBeInstanceOf(FileRefusedError);
  const runId = await submitted({ ...month(), profile });
  expect(await profileOf(runId)).toEqual({ name: 'Lieferanten', hash, wasKnown: false });
  await expect(maker.submitRun(month())).rejects.toMatchObject(UNKNOWN);
  await reject(payrun, runId);
  await expect(maker.submitRun(month())).rejects.toMatchObject(UNKNOWN);
  expect(await maker.proposeReading(month())).toMatchObject({ from: 'proposed' });
});

test('a new profile is a finding that says by which headers it pays whom how much', async () => {
  const { profile, hash, month } = aSheet('Betrag neu');
  const runId = await submitted({ ...month(), profile });
  const finding = {
    kind: 'new_profile',
    name: 'Lieferanten',
    hash,
    isChange: false,
    columns: expect.arrayContaining([
      { column: 'amount', from: '"Betrag neu"', before: null },
      { column: 'amount_side', from: '"sell" in every row', before: null },
      { column: 'beneficiary_company_name', from: '"Empfänger"', before: null },
      { column: 'bank_account_number', from: '"Kontonr."', before: null },
    ]) as object,
    amounts: '1.234,56',
  };
  expect(await findingOf(runId)).toEqual(finding);
  await approve(payrun, runId);
  // As those who decided saw it.
  expect(await findingOf(runId)).toEqual(finding);
  const changed = withColumns(profile, { bank_name: { constant: 'Another Bank' } });
  expect(await findingOf(await submitted({ ...month(), profile: changed }))).toEqual({
    ...finding,
    hash: profileHash(changed).slice(0, 12),
    isChange: true,
    columns: [{ column: 'bank_name', from: '"Another Bank" in every row', before: expect.any(String) as string }],
    amounts: null,
  });
});

test('what beneficiaries read in every row is asked for each time, with the last text, and is nothing to confirm', async () => {
  const { profile, hash, month } = aSheet('Lohn');
  const november = withColumns(profile, { payment_reference: { constant: 'Salary November' } });
  await approved({ ...month(), profile: november });
  await expect(maker.submitRun(month())).rejects.toMatchObject({ problems: [{ code: 'missing_columns' }] });
  const next = await maker.proposeReading(month());
  expect(next).toMatchObject({ from: 'known', missingColumns: ['payment_reference'] });
  const hints = next.columns.find(({ column }) => column === 'payment_reference')?.candidates;
  expect(hints?.[0]?.source.constant).toBe('Salary November');
  const december = withColumns(next.profile, { payment_reference: { constant: 'Salary December' } });
  const again = await maker.proposeReading({ ...month(), profile: december });
  expect(again.missingColumns).toEqual([]);
  const runId = await submitted({ ...month(), profile: december });
  expect(await findingOf(runId)).toBeNull();
  expect(await profileOf(runId)).toMatchObject({ wasKnown: true });
  expect(hash).not.toBe((await profileOf(runId))?.hash);
});

test('once a run was approved, the next sheet is read alike in one step, and that is no finding', async () => {
  const { profile, hash, rows, month } = aSheet('Betrag');
  await approved({ ...month(), profile });
  const next = rows();
  const runId = await submitted(month('default', next));
  expect(await findingOf(runId)).toBeNull();
  expect(await profileOf(runId)).toEqual({ name: 'Lieferanten', hash, wasKnown: true });
  const read = await instructionsOf(payrun.database, 'run_id = $1', [runId]);
  expect(read.map(({ rowRef, amount }) => [rowRef, amount])).toEqual(next.map((row) => [row.row_ref, row.amount]));
  expect(JSON.stringify(read)).toContain(next[0]?.beneficiary_company_name);
  expect(await maker.proposeReading(month())).toMatchObject({ from: 'known', profile: { name: 'Lieferanten' } });
});

test('a draft is read by it, and what is kept of the draft finds the next sheet', async () => {
  const { profile, hash, month } = aSheet('Betrag EUR');
  await approved({ ...month(), profile });
  for (const given of [undefined, profile]) {
    const draft = await maker.addDraft({ ...month(), ...(given === undefined ? {} : { profile: given }) });
    expect(draft.problemCount).toBe(0);
    const { runId } = await maker.submitDraft({ draftId: draft.draftId, revision: 1 });
    await untilRun(payrun.application, runId, 'in_approval');
    expect(await profileOf(runId)).toMatchObject({ hash, wasKnown: true });
    await approve(payrun, runId);
  }
  expect(await profileOf(await submitted(month()))).toMatchObject({ hash, wasKnown: true });
});

test('it is known of its account alone', async () => {
  const { profile, month } = aSheet('Betrag GBP');
  await approved({ ...month('second'), profile });
  await expect(maker.submitRun(month())).rejects.toMatchObject(UNKNOWN);
  expect(await maker.proposeReading(month())).toMatchObject({ from: 'proposed' });
  expect(await maker.proposeReading(month('second'))).toMatchObject({ from: 'known' });
  expect(await findingOf(await submitted({ ...month(), profile }))).not.toBeNull();
});

test('of two for the same headers, the one that was approved last counts', async () => {
  const { profile, month } = aSheet('Betrag USD');
  const later: Profile = withColumns({ ...profile, name: 'Later' }, { bank_name: { constant: 'Another Bank' } });
  await approved({ ...month(), profile });
  await approved({ ...month(), profile: later });
  expect(await profileOf(await submitted(month()))).toMatchObject({ name: 'Later', wasKnown: true });
});

test('our own columns have none, unless a text is the same in every row, which decides nothing here', async () => {
  const rows = newRows(1);
  expect(await profileOf(await submitRows(payrun, rows))).toBeNull();
  const profile = ownFormatProfile(Object.keys(rows[0] ?? {}), { echo: 'x' })!;
  const runId = await submitRows(payrun, newRows(1), { profile });
  expect(await profileOf(runId)).toMatchObject({ name: 'Columns of payrun', wasKnown: false });
  expect(await findingOf(runId)).toBeNull();
});

test('it is kept encrypted, and erased with its run', async () => {
  const { profile, month } = aSheet('Betrag alt');
  const runId = await approved({ ...month(), profile });
  const kept = () =>
    payrun.database.query<{ profile: Buffer }>('select profile from run_profiles where run_id = $1', [runId]);
  expect((await kept()).rows.map(({ profile: bytes }) => bytes.includes('Test Bank'))).toEqual([false]);
  await payrun.database.query('select erase_payees($1, $2)', [runId, payrun.checker.userId]);
  expect((await kept()).rows).toEqual([]);
  expect(await profileOf(runId)).toBeNull();
  await expect(maker.submitRun(month())).rejects.toMatchObject(UNKNOWN);
});

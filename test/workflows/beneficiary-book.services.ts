import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, newRows, reject, submitRows, textOf, untilPaid } from '../helpers/run-under-test.ts';
import { untilProposed } from '../helpers/suspected-duplicates.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

const OF_BENEFICIARY = /^(?:beneficiary|bank|intermediary)_/;
const CALLED = { person: 'Ada Ledger', number: '+44 20 1234', numberFrom: 'the contract of 2024' };

/** What the book needs of a row, and what is left of it with the key alone. */
function bookAndRow(row: PaymentRow, key: string): { line: Record<string, string>; named: PaymentRow } {
  const entries = Object.entries(row);
  const line = Object.fromEntries(entries.filter(([name]) => OF_BENEFICIARY.test(name)));
  const named = Object.fromEntries(entries.filter(([name]) => !OF_BENEFICIARY.test(name))) as PaymentRow;
  return {
    line: { ...line, beneficiary_key: key, bank_currency: row.buy_currency },
    named: { ...named, beneficiary_key: key },
  };
}

function importFile(file: Uint8Array) {
  const sheet = { file, profile: null, reading: {} };
  return payrun.application.addBeneficiaries(payrun.maker, { account: null, source: 'import', ...sheet });
}

async function add(...lines: Record<string, string>[]): Promise<unknown> {
  return importFile(csvOf(lines));
}

const PAGE = { account: null, q: null, payment: null, state: null, after: null, limit: 50 };

function listAs(user: typeof payrun.maker, parts: { key: string } | { payment: string }) {
  return payrun.application.listBeneficiaries(user, { ...PAGE, ...{ key: null }, ...parts });
}

async function accountsOf(key: string) {
  const { beneficiaries } = await payrun.application.listBeneficiaries(payrun.maker, { ...PAGE, key });
  const [found] = beneficiaries;
  return found?.accounts ?? [];
}

async function confirm(key: string): Promise<{ confirmed: number; released: number }> {
  const accounts = (await accountsOf(key)).filter(({ state }) => state === 'proposed');
  return payrun.application.confirmBeneficiaries(payrun.checker, {
    account: null,
    accounts,
    called: CALLED,
    note: 'read back',
  });
}

test('a row that names a beneficiary of the book alone is paid to its confirmed account', async () => {
  const [row] = newRows(1) as [PaymentRow];
  const { line, named } = bookAndRow(row, 'S-1');
  expect(await add(line)).toEqual({ kind: 'added', added: 1, known: 0 });
  expect(await confirm('S-1')).toEqual({ confirmed: 1, released: 0 });
  const runId = await submitRows(payrun, [named]);
  const [shown] = await payrun.application.listRows(runId, {
    limit: 1,
    afterLine: 0,
    state: null,
    withInstructions: true,
  });
  expect(shown).toMatchObject({ state: 'ready', beneficiaryName: row.beneficiary_company_name });
  await approve(payrun, runId);
  await untilPaid(payrun, runId);
  expect(await accountsOf('S-1')).toMatchObject([
    { state: 'confirmed', paid: [{ currency: 'USD', payments: 1, lastRunId: runId }] },
  ]);
});

test('a row to a changed account is held, and released by its confirmation in a new proposal', async () => {
  const [row] = newRows(1) as [PaymentRow];
  const { line, named } = bookAndRow(row, 'S-2');
  await add(line);
  await confirm('S-2');
  const changed = { ...row, row_ref: `${row.row_ref}-changed`, amount: '7.77', bank_account_number: '55667788' };
  const runId = await submitRows(payrun, [named, changed]);
  const { proposal } = (await payrun.application.findRun(runId)) ?? { proposal: null };
  expect(proposal).toMatchObject({
    payable: 1,
    onHold: 1,
    warnings: expect.arrayContaining([expect.stringMatching('unconfirmed accounts: 1')]) as unknown,
  });
  await add(bookAndRow(changed, 'S-2').line);
  const { beneficiaries, heldRows } = await listAs(payrun.maker, { key: 'S-2' });
  expect(heldRows).toMatchObject([{ runId, line: 3, amount: '7.77' }]);
  expect(beneficiaries[0]?.accounts).toMatchObject([
    { state: 'proposed', isChange: true, objection: 'who added an account cannot confirm it; ask a second person' },
    { state: 'confirmed', objection: null },
  ]);
  const [held] = await payrun.application.listRows(runId, {
    ...{ limit: 1, afterLine: 0, state: 'account_unconfirmed', withInstructions: true },
  });
  const ofRow = await listAs(payrun.checker, { payment: held?.paymentId ?? '' });
  expect(ofRow.beneficiaries).toMatchObject([{ key: 'S-2' }]);
  const { beneficiaries: asChecker } = await listAs(payrun.checker, { key: 'S-2' });
  expect(asChecker[0]?.accounts[0]?.objection).toBeNull();
  expect(await confirm('S-2')).toEqual({ confirmed: 1, released: 1 });
  expect((await untilProposed(payrun, runId, 2)).onHold).toBe(0);
  await reject(payrun, runId);
});

test('an export is imported again as the same book', async () => {
  const csv = await textOf(await payrun.application.exportBeneficiaries(payrun.maker, null));
  const again = await importFile(Buffer.from(csv));
  expect(again).toMatchObject({ kind: 'added', added: 0, known: 3 });
});

test('lines with problems refuse all of them', async () => {
  const [row] = newRows(1) as [PaymentRow];
  const { line } = bookAndRow(row, 'S-9');
  const outcome = await add(line, { ...line, beneficiary_key: 'S 9' });
  expect(outcome).toMatchObject({ kind: 'refused', problems: [{ line: 3, column: 'beneficiary_key' }] });
  expect(await accountsOf('S-9')).toEqual([]);
});

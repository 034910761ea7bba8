import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import type { RunFinding } from '../../api/runs/review.ts';
import { OTHER } from '../store/limited-users.ts';
import { accountEndOf, linesNaming } from '../helpers/test-payees.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { nextPaymentTo, supplier } from '../helpers/suppliers.ts';
import { newRows, submitRows } from '../helpers/run-under-test.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';

/** What the console reads of runs, through HTTP. */

let payrun: PayrunUnderTest;
let checker: PayrunClient;
let maker: PayrunClient;
let runId: string;

const clientOf = (user: TestUser): PayrunClient => createPayrunClient({ url: payrun.serverUrl, token: user.token });

const COUNT = 60;
const NAMES = ['Zeta Ltd', 'alpha GmbH', 'Muster AG', 'Winkler AG', 'Ödland KG'];

beforeAll(async () => {
  payrun = await startPayrun();
  checker = clientOf(payrun.checker);
  maker = clientOf(payrun.maker);
  const rows = newRows(COUNT).map((row, index) => {
    const name = `${NAMES[index % NAMES.length] ?? ''} ${index}`;
    const amount = `${(index * 37) % 50}.50`;
    return {
      ...row,
      amount: amount === '0.50' ? '10.50' : amount,
      amount_side: index % 3 === 0 ? 'buy' : 'sell',
      beneficiary_company_name: name,
      bank_account_holder_name: name,
    };
  });
  runId = await submitRows(payrun, rows);
});
afterAll(() => payrun.stop());

async function linesBySql(where: string, order: string): Promise<number[]> {
  const { rows } = await payrun.database.query<{ line: number }>(
    `select line from payments where run_id = $1 and ${where} order by ${order}`,
    [runId],
  );
  return rows.map(({ line }) => line);
}

type PageRequest = Omit<Parameters<PayrunClient['listRows']>[0], 'runId'>;

const CURRENCY = `case amount_side when 'sell' then sell_currency else buy_currency end`;

/** All lines by pages that follow one another, and by positions. */
async function linesByPages(request: PageRequest): Promise<{ byCursor: number[]; byPosition: number[] }> {
  const byCursor: number[] = [];
  const byPosition: number[] = [];
  let after: string | null = null;
  do {
    const page = await checker.listRows({ runId, ...request, after, limit: 7 });
    byCursor.push(...page.rows.map(({ line }) => line));
    after = page.next;
  } while (after !== null);
  for (let from = 0; from < COUNT; from += 7) {
    const page = await checker.listRows({ runId, ...request, from, limit: 7 });
    byPosition.push(...page.rows.map(({ line }) => line));
  }
  return { byCursor, byPosition };
}

describe('a page of the rows of a run', () => {
  test.each<[string, PageRequest, string, string]>([
    ['in the order of the file', {}, 'true', 'row_number'],
    ['from the end of the file', { order: 'desc' }, 'true', 'row_number desc'],
    ['by state', { sort: 'state' }, 'true', 'state, row_number'],
    ['of one state', { state: 'ready', order: 'desc' }, `state = 'ready'`, 'row_number desc'],
    ['by amount', { sort: 'amount', currency: 'USD' }, `${CURRENCY} = 'USD'`, 'amount, row_number'],
    [
      'by amount, the largest first',
      { sort: 'amount', currency: 'GBP', order: 'desc' },
      `${CURRENCY} = 'GBP'`,
      'amount desc, row_number desc',
    ],
    ['of an amount', { q: '10.50' }, 'amount = 10.5', 'row_number'],
  ])('is as SQL would have it: %s', async (_what, request, where, order) => {
    const expected = await linesBySql(where, order);
    expect(expected.length).toBeGreaterThan(0);
    expect(await linesByPages(request)).toEqual({ byCursor: expected, byPosition: expected });
    const { total } = await checker.listRows({ runId, ...request, count: true, limit: 1 });
    expect(total).toEqual({ count: expected.length, hasMore: false });
  });

  test.each(['AG', 'ag winkler', 'ÖDLAND'])('finds the words of a name: %s', async (q) => {
    const expected = await linesNaming(payrun.database, runId, q.toLowerCase().replace('ö', 'o').split(' '));
    expect(expected.length).toBeGreaterThan(0);
    expect(await linesByPages({ q })).toEqual({ byCursor: expected, byPosition: expected });
  });

  test('needs a currency to be sorted by amount, and a cursor of its own', async () => {
    await expect(checker.listRows({ runId, sort: 'amount' })).rejects.toMatchObject({ status: 400 });
    await expect(checker.listRows({ runId, after: 'bm9uZQ' })).rejects.toMatchObject({ status: 400 });
  });

  test('shows findings to those who may read instructions alone', async () => {
    const { rows, total } = await checker.listRows({ runId, mark: 'new_beneficiary', count: true, limit: 3 });
    expect(rows.map(({ marks }) => marks)).toEqual([['new_beneficiary'], ['new_beneficiary'], ['new_beneficiary']]);
    expect(total).toEqual({ count: COUNT, hasMore: false });
    const admin = clientOf(await aUser(payrun.testDatabase, 'Ada Admin', 'administrator'));
    await expect(admin.listRows({ runId, mark: 'new_beneficiary' })).rejects.toMatchObject({ status: 403 });
    expect((await admin.listRows({ runId, limit: 1 })).rows[0]).toMatchObject({ isMasked: true, bankAccount: null });
  });

  test('and its rows one by one, by line, with what one may do', async () => {
    const [line = 0] = await linesBySql('true', 'row_number desc');
    const row = await checker.getRowByLine({ runId, line });
    expect(row).toMatchObject({ line, state: 'ready' });
    const workflows = `http://127.0.0.1:8233/namespaces/${payrun.temporal.options.namespace}/workflows`;
    expect(row.workflowUrl).toBe(`${workflows}/payment%2F${row.paymentId}`);
    expect((await checker.getRun({ runId })).workflowUrl).toBe(`${workflows}/payment-run%2F${runId}`);
    expect(row.allowedActions.map(({ action, isAllowed }) => [action, isAllowed])).toEqual([
      ['release', false],
      ['proposeManualOutcome', false],
      ['confirmManualOutcome', false],
      ['rejectManualOutcome', false],
    ]);
    await expect(checker.getRowByLine({ runId, line: 1 })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a run and its decision', () => {
  test('say what the user who asks may do', async () => {
    const may = async (client: PayrunClient) =>
      (await client.getRun({ runId })).allowedActions.filter(({ isAllowed }) => isAllowed).map(({ action }) => action);
    expect(await may(checker)).toEqual(['approve', 'reject']);
    expect(await may(maker)).toEqual(['withdraw']);
    const { allowedActions, waitingSince, expiresAt } = await maker.getRun({ runId });
    expect(allowedActions[0]).toMatchObject({ action: 'approve', code: 'not_allowed' });
    expect(allowedActions.map(({ reason }) => reason).join('; ')).toContain('nothing of it is paid yet');
    expect(Date.parse(expiresAt ?? '') - Date.parse(waitingSince ?? '')).toBe(86_400_000);
    const { actions: asked } = await checker.listActions({ of: [`run:${runId}`, `stop:${runId}`] });
    expect(Object.keys(asked)).toEqual([`run:${runId}`]);
    expect(asked[`run:${runId}`]?.[0]).toEqual({ action: 'approve', isAllowed: true, code: null, reason: null });
  });

  test('come with totals, the largest rows, and who can approve', async () => {
    const facts = await checker.getDecisionFacts({ runId });
    const { proposal } = await checker.getRun({ runId });
    expect(facts).toMatchObject({
      contentHash: proposal?.contentHash,
      maker: { name: 'Mia Maker' },
      payable: COUNT,
      marks: { new_beneficiary: COUNT },
      isCovered: true,
      canBeApproved: true,
      lastComparable: null,
    });
    expect(facts.totals.map(({ currency }) => currency).sort()).toEqual(['GBP', 'USD']);
    expect(facts.steps).toMatchObject([{ step: 1, takenBy: null, eligibleApprovers: [{ name: 'Chris Checker' }] }]);
    expect(facts.rules.map(({ currency }) => currency)).toEqual(['GBP', 'USD']);
    const usd = facts.largest.find(({ currency }) => currency === 'USD');
    const { rows } = await payrun.database.query<{ amount: string; share: string }>(
      `select sum(amount)::text as amount, round(100 * sum(amount) / (select sum(amount) from payments
         where run_id = $1 and amount_currency = 'USD'), 1)::text as share
       from (select amount from payments where run_id = $1 and amount_currency = 'USD' order by amount desc limit 10) as top`,
      [runId],
    );
    expect([usd?.amount, usd?.sharePercent]).toEqual([rows[0]?.amount, rows[0]?.share]);
    expect(usd?.rows).toHaveLength(10);
  });

  test('are listed by what one looks for', async () => {
    const other = await submitRows(payrun, newRows(1), { fileName: 'Löhne November.csv' });
    const listed = async (page: Parameters<PayrunClient['listRuns']>[0]) =>
      (await checker.listRuns(page)).runs.map((run) => run.runId);
    expect(await listed({ q: 'löhne' })).toEqual([other]);
    expect(await listed({ q: runId.slice(0, 13) })).toEqual([runId]);
    expect(await listed({ sort: 'rows', order: 'asc', state: ['in_approval'] })).toEqual([other, runId]);
    expect(await listed({ sort: 'rows', order: 'asc', before: other })).toEqual([runId]);
    expect(await listed({ by: payrun.checker.userId })).toEqual([]);
    expect((await maker.listRuns({ by: 'me', state: ['in_approval', 'running'] })).runs).toHaveLength(2);
  });
});

describe('a search', () => {
  const found = async (client: PayrunClient, text: string) =>
    (await client.search({ q: text })).hits.map(({ kind, matched, line }) => [kind, matched, line]);

  test('finds runs and rows by what people have in hand', async () => {
    const { rows } = await payrun.database.query<{ line: number; row_ref: string; payment_id: string }>(
      `select line, row_ref, payment_id from payments where run_id = $1 and row_number = 5`,
      [runId],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('there is no such row');
    expect(await found(checker, row.row_ref)).toContainEqual(['row', 'reference', row.line]);
    expect(await found(checker, row.payment_id)).toEqual([['row', 'id', row.line]]);
    expect(await found(checker, await accountEndOf(payrun.database, runId, 5))).toContainEqual([
      'row',
      'account',
      row.line,
    ]);
    expect(await found(checker, runId.slice(0, 8))).toEqual([['run', 'id', null]]);
    expect(await found(checker, 'winkler ag')).toContainEqual(['row', 'name', 5]);
    expect(await found(checker, 'USD 37,50')).toContainEqual(['row', 'amount', 3]);
    expect(await found(checker, 'nothing of this')).toEqual([]);
  });

  test('finds rows of all runs by their whole payment reference, however it is written', async () => {
    const other = await submitRows(payrun, newRows(2, { payment_reference: 'Rechnung Ärzte 2026/17' }));
    const { hits } = await checker.search({ q: 'RECHNUNG ÄrzTE 2026/17' });
    expect(hits.map(({ kind, matched, runId: ofRun, line }) => [kind, matched, ofRun, line]).sort()).toEqual([
      ['row', 'reference', other, 2],
      ['row', 'reference', other, 3],
    ]);
    expect(await found(checker, 'Rechnung Ärzte 2026')).toEqual([]);
    const again = await submitRows(payrun, newRows(1, { payment_reference: 'rechnung ÄRZTE 2026/17' }));
    const [newest] = (await checker.search({ q: 'Rechnung Ärzte 2026/17' })).hits;
    expect(newest).toMatchObject({ runId: again, line: 2 });
    // The longest that a file may have is three times as many bytes.
    const longest = '€'.repeat(256);
    await submitRows(payrun, newRows(1, { payment_reference: longest }));
    expect(await found(checker, longest)).toEqual([['row', 'reference', 2]]);
  });

  test('finds no payment reference for whoever may not read instructions, or of another account', async () => {
    await submitRows(payrun, newRows(1, { payment_reference: 'Contract 88-1' }));
    expect(await found(checker, 'contract 88-1')).toEqual([['row', 'reference', 2]]);
    const admin = clientOf(await aUser(payrun.testDatabase, 'Carl Admin', 'administrator'));
    expect(await found(admin, 'contract 88-1')).toEqual([]);
    const limited = await aUser(payrun.testDatabase, 'Lou Limited', 'viewer');
    await limitTo(payrun.database, limited, OTHER);
    expect(await found(clientOf(limited), 'contract 88-1')).toEqual([]);
  });

  test('shows account numbers and other accounts to nobody who may not see them', async () => {
    const admin = clientOf(await aUser(payrun.testDatabase, 'Ben Admin', 'administrator'));
    const hits = await found(admin, await accountEndOf(payrun.database, runId, 7));
    expect(hits.filter(([, matched]) => matched === 'account')).toEqual([]);
    const limited = await aUser(payrun.testDatabase, 'Lea Limited', 'viewer');
    await limitTo(payrun.database, limited, OTHER);
    expect(await found(clientOf(limited), runId.slice(0, 8))).toEqual([]);
    await expect(clientOf(limited).getDecisionFacts({ runId })).rejects.toMatchObject({ status: 404 });
    await expect(clientOf(limited).getRowByLine({ runId, line: 2 })).rejects.toMatchObject({ status: 404 });
    expect(await clientOf(limited).listActions({ of: [`run:${runId}`] })).toEqual({ actions: {} });
    expect((await clientOf(limited).getInbox()).groups).toEqual([]);
  });
});

describe('what stands out in a run', () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  let found: RunFinding[];
  let standsOut: string;

  beforeAll(async () => {
    standsOut = await submitRows(payrun, [
      supplier(70),
      supplier(71, { pay_on: tomorrow }),
      nextPaymentTo(70, { pay_on: tomorrow }),
      // The provider withdraws this code.
      supplier(72, { purpose_of_transfer: 'FEES' }),
    ]);
    found = (await checker.getReview({ runId: standsOut })).findings;
  });

  const linesOf = async (finding: string): Promise<number[]> => {
    const { rows, total } = await checker.listRows({ runId: standsOut, finding, count: true });
    expect(total?.count).toBe(rows.length);
    return rows.map(({ line }) => line);
  };

  test('opens exactly its rows, finding by finding', async () => {
    expect(found.map((finding) => ('id' in finding ? finding.id : finding.kind))).toEqual([
      ...['check_warning:5', 'new_beneficiary:2', 'new_beneficiary:3', 'new_beneficiary:5', 'pays_later:3'],
    ]);
    expect(await linesOf('new_beneficiary:2')).toEqual([2, 4]);
    expect(await linesOf('new_beneficiary:3')).toEqual([3]);
    expect(await linesOf('pays_later:3')).toEqual([3, 4]);
    // What is no finding any more has no rows, and not all of them.
    expect(await linesOf('account_changed:2')).toEqual([]);
    const admin = clientOf(await aUser(payrun.testDatabase, 'Ada Other', 'administrator'));
    await expect(admin.listRows({ runId: standsOut, finding: 'pays_later:3' })).rejects.toMatchObject({ status: 403 });
    await expect(checker.listRows({ runId: standsOut, finding: 'all' })).rejects.toMatchObject({ status: 400 });
  });

  test('has the warnings of the file check, with the cells', async () => {
    expect(found[0]).toMatchObject({
      ...{ kind: 'check_warning', code: 'purpose_deprecated', column: 'purpose_of_transfer' },
      cells: [{ line: 5, value: 'FEES' }],
      rowCount: 1,
    });
    expect(await linesOf('check_warning:5')).toEqual([5]);
    expect(
      (await checker.listRows({ runId: standsOut })).rows.map(({ marks }) => marks?.includes('check_warning')),
    ).toEqual([...[false, false, false, true]]);
  });
});

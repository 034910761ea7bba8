import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunFinding, RunReview } from '../../domain/runs/run-finding.ts';
import { nameText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { recordedWorkflows } from '../helpers/histories.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import { approve, beginRun, reject, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';
import { CHANGED_SUPPLIER, iban, nextPaymentTo, supplier } from '../helpers/suppliers.ts';

const SUPPLIERS = 14;

let payrun: PayrunUnderTest;
/** The first run, which paid all suppliers. */
let suppliers: PaymentRow[];
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  payrun = await startPayrun();
  suppliers = Array.from({ length: SUPPLIERS }, (_, n) => supplier(n));
  const first = await beginRun(payrun, suppliers);
  expect((await untilPaid(payrun, first)).rows).toEqual({ paid: SUPPLIERS });
});
afterAll(() => payrun.stop());

async function reviewOf(runId: string): Promise<RunReview> {
  return (await payrun.application.findReview(runId, null))!;
}

function ofKind<Kind extends RunFinding['kind']>(
  { findings }: RunReview,
  kind: Kind,
): Extract<RunFinding, { kind: Kind }>[] {
  return findings.filter((finding): finding is Extract<RunFinding, { kind: Kind }> => finding.kind === kind);
}

describe('a supplier whose bank account changed', () => {
  const elsewhere = iban('LT', '1000011101001000');

  test('is reported among all others, with the old and new account, the country, and the last payment', async () => {
    const rows = suppliers.map((_, n) =>
      n === CHANGED_SUPPLIER
        ? nextPaymentTo(n, { amount: '2500.50', bank_country: 'LT', bank_iban: elsewhere })
        : nextPaymentTo(n),
    );
    const runId = await submitRows(payrun, rows);
    const review = await reviewOf(runId);
    expect(review.findings).toEqual([
      {
        kind: 'account_changed',
        id: `account_changed:${CHANGED_SUPPLIER + 2}`,
        name: 'Winkler AG',
        from: expect.objectContaining({
          accountNumber: null,
          iban: suppliers[CHANGED_SUPPLIER]?.['bank_iban'],
          country: 'DE',
        }) as object,
        fromCount: 1,
        to: expect.objectContaining({
          accountNumber: null,
          iban: elsewhere,
          country: 'LT',
          holder: 'Winkler AG',
        }) as object,
        isOtherCountry: true,
        lastPaidOn: today,
        rows: [rows[CHANGED_SUPPLIER]?.row_ref],
        rowCount: 1,
        amounts: [{ currency: 'EUR', amount: '2500.50' }],
      },
    ]);
    expect(review.unlistedCounts).toEqual({});
    expect(review.contentHash).toBe((await payrun.application.findRun(runId))?.proposal?.contentHash);
    const listed = await payrun.application.listRows(runId, {
      limit: 100,
      afterLine: 0,
      state: null,
      withInstructions: true,
    });
    expect(listed.filter(({ marks }) => marks?.length !== 0)).toMatchObject([
      {
        rowRef: rows[CHANGED_SUPPLIER]?.row_ref,
        marks: ['account_changed'],
        beneficiaryName: 'Winkler AG',
        bankAccount: { iban: elsewhere, country: 'LT' },
        country: 'LT',
        reference: rows[CHANGED_SUPPLIER]?.payment_reference,
        purpose: 'SUPP',
        isMasked: false,
      },
    ]);
    await reject(payrun, runId);
    // What the approvers saw does not change.
    expect(await reviewOf(runId)).toEqual(review);
  });

  test('is not reported once both accounts were paid, whichever of them is used', async () => {
    const moved = await beginRun(payrun, [nextPaymentTo(3, { bank_country: 'LT', bank_iban: elsewhere })]);
    expect(ofKind(await reviewOf(moved), 'account_changed')).toHaveLength(1);
    expect((await untilPaid(payrun, moved)).rows).toEqual({ paid: 1 });
    const both = [nextPaymentTo(3, { amount: '2203.00', bank_country: 'LT', bank_iban: elsewhere }), nextPaymentTo(3)];
    const runId = await submitRows(payrun, both);
    expect((await reviewOf(runId)).findings).toEqual([]);
    await reject(payrun, runId);
    // As it was when the run was decided, not as it is now.
    expect(ofKind(await reviewOf(moved), 'account_changed')).toHaveLength(1);
  });
});

describe('one bank account', () => {
  test('to which three suppliers are redirected is reported with all three', async () => {
    const one = iban('DE', '500105175407324931');
    const rows = [4, 5, 6].map((n) => nextPaymentTo(n, { bank_iban: one }));
    const runId = await submitRows(payrun, [...rows, nextPaymentTo(8)]);
    const review = await reviewOf(runId);
    expect(ofKind(review, 'account_has_other_names')).toMatchObject([
      {
        account: { iban: one },
        names: [4, 5, 6].map((n, index) => ({ name: `Supplier ${n} GmbH`, rows: [rows[index]?.row_ref] })),
        nameCount: 3,
        paidBefore: null,
        rowCount: 3,
      },
    ]);
    expect(ofKind(review, 'account_changed').map(({ name }) => name)).toEqual(
      [4, 5, 6].map((n) => `Supplier ${n} GmbH`),
    );
    await reject(payrun, runId);
  });

  test('that was paid under another name is reported with that name', async () => {
    const row = nextPaymentTo(9, { beneficiary_company_name: 'Quite Another Ltd' });
    const runId = await submitRows(payrun, [row]);
    expect((await reviewOf(runId)).findings).toMatchObject([
      {
        kind: 'account_has_other_names',
        names: [{ name: 'Quite Another Ltd', rows: [row.row_ref] }],
        paidBefore: { names: ['Supplier 9 GmbH'], nameCount: 1, lastPaidOn: today },
      },
    ]);
    await reject(payrun, runId);
  });
});

describe('a beneficiary', () => {
  test('that was never paid is reported, and so are an unusual amount and a later day', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const fresh = supplier(900);
    const rows = [
      fresh,
      nextPaymentTo(4, { amount: '3012.00' }),
      nextPaymentTo(5, { amount: '3015.01' }),
      nextPaymentTo(6, { pay_on: tomorrow }),
    ];
    const runId = await submitRows(payrun, rows);
    expect((await reviewOf(runId)).findings).toMatchObject([
      {
        kind: 'unusual_amount',
        name: 'Supplier 5 GmbH',
        largestBefore: '1005.00',
        amounts: [{ currency: 'EUR', amount: '3015.01' }],
        rows: [rows[2]?.row_ref],
      },
      {
        kind: 'new_beneficiary',
        name: 'Supplier 900 GmbH',
        account: { iban: fresh['bank_iban'] },
        rows: [fresh.row_ref],
      },
      { kind: 'pays_later', day: tomorrow, rowCount: 1 },
    ]);
    await reject(payrun, runId);
  });

  test('of a rejected run counts as never paid', async () => {
    const fresh = supplier(901);
    await reject(payrun, await submitRows(payrun, [fresh]));
    const runId = await submitRows(payrun, [{ ...fresh, row_ref: `${fresh.row_ref}-again` }]);
    expect((await reviewOf(runId)).findings).toMatchObject([{ kind: 'new_beneficiary' }]);
    await reject(payrun, runId);
  });
});

describe('beneficiaries given by the provider’s id', () => {
  /** A row that gives only the id of its beneficiary. */
  function byId(beneficiaryId: string, parts: Partial<PaymentRow> = {}): Record<string, string> {
    const row: Record<string, string> = { ...nextPaymentTo(0), ...parts, beneficiary_id: beneficiaryId };
    return Object.fromEntries(
      Object.entries(row).filter(([name]) => name === 'beneficiary_id' || !/^(beneficiary|bank)_/.test(name)),
    );
  }

  async function providerIdOf(name: string): Promise<string> {
    const { hash } = await payeesIn(payrun.database);
    const { rows } = await payrun.database.query<{ beneficiary_id: string }>(
      `select beneficiary_id from payments where name_hash = $1 and state = 'paid'`,
      [hash(nameText({ companyName: name, bankAccount: {} }))],
    );
    return rows[0]?.beneficiary_id ?? '';
  }

  function requestsFor(operation: string): number {
    return payrun.sandbox.ledger().requests.byOperation[operation] ?? 0;
  }

  test('are shown with name and account, and are recognized by an account that was paid', async () => {
    const runId = await submitRows(payrun, [byId(await providerIdOf('Supplier 1 GmbH'), { amount: '2077.00' })]);
    expect((await reviewOf(runId)).findings).toEqual([]);
    const page = { limit: 10, afterLine: 0, state: null };
    expect(await payrun.application.listRows(runId, { ...page, withInstructions: true })).toMatchObject([
      {
        beneficiaryName: 'Supplier 1 GmbH',
        beneficiaryId: await providerIdOf('Supplier 1 GmbH'),
        bankAccount: { iban: suppliers[1]?.['bank_iban'], country: 'DE' },
        marks: [],
      },
    ]);
    expect(await payrun.application.listRows(runId, page)).toMatchObject([
      { bankAccount: null, country: null, reference: null, purpose: null, files: null, isMasked: true },
    ]);
    await reject(payrun, runId);
  });

  test('are read once for all runs: one by one if few, by one list if many', async () => {
    const few = byId(await providerIdOf('Supplier 2 GmbH'));
    const before = { get: requestsFor('beneficiary-get'), find: requestsFor('beneficiary-find') };
    await reject(payrun, await submitRows(payrun, [few]));
    await reject(payrun, await submitRows(payrun, [few]));
    expect(requestsFor('beneficiary-get')).toBe(before.get + 1);
    const many = [];
    for (const n of [8, 9, 10, 11, 12]) {
      many.push(byId(await providerIdOf(`Supplier ${n} GmbH`), { row_ref: `many-${n}`, amount: `${2_200 + n}.00` }));
    }
    const runId = await submitRows(payrun, many);
    expect((await reviewOf(runId)).findings).toEqual([]);
    expect(requestsFor('beneficiary-find')).toBe(before.find + 1);
    expect(requestsFor('beneficiary-get')).toBe(before.get + 1);
    await reject(payrun, runId);
  });

  test('that the provider does not have are reported as such, and read again for the next run', async () => {
    const absent = byId('018f2a00-0000-7000-8000-00000000dead');
    const runId = await submitRows(payrun, [absent]);
    expect((await reviewOf(runId)).findings).toEqual([
      {
        kind: 'details_unknown',
        id: 'details_unknown:2',
        beneficiaryId: '018f2a00-0000-7000-8000-00000000dead',
        reason: 'no_such_beneficiary',
        rows: [absent['row_ref']],
        rowCount: 1,
        amounts: [{ currency: 'EUR', amount: '2000.00' }],
      },
    ]);
    await reject(payrun, runId);
    const before = requestsFor('beneficiary-get');
    await reject(payrun, await submitRows(payrun, [absent]));
    expect(requestsFor('beneficiary-get')).toBe(before + 1);
  });

  test('that cannot be read are reported, and do not delay the decision', async () => {
    await orderFaults(payrun.sandbox, { operation: 'beneficiary-get', kind: 'error_before', status: 400, every: 1 });
    const row = byId(await providerIdOf('Supplier 13 GmbH'));
    const runId = await submitRows(payrun, [row]);
    await clearFaults(payrun.sandbox);
    expect((await reviewOf(runId)).findings).toMatchObject([
      { kind: 'details_unknown', reason: 'not_read', rows: [row['row_ref']] },
    ]);
    expect((await approve(payrun, runId)).run.state).toBe('running');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  });
});

test('nothing that the approvers are shown is in any history', async () => {
  const shown = [
    'Winkler',
    'Supplier 1 ',
    'GmbH',
    iban('LT', '1000011101001000'),
    suppliers[1]?.['bank_iban'] ?? '',
    '018f2a00-0000-7000-8000-00000000dead',
  ];
  const histories = await recordedWorkflows(payrun.temporal);
  expect(histories.filter(({ text }) => text.includes('runId')).length).toBeGreaterThan(SUPPLIERS);
  for (const secret of shown) {
    expect(histories.filter(({ text }) => text.includes(secret)).map(({ workflowId }) => workflowId)).toEqual([]);
  }
});

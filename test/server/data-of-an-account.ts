import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { randomUUID } from 'node:crypto';
import { contentSha256 } from '../../domain/sha256.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { withoutSecondFactors } from '../helpers/going-live.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, beneficiaryAt, putInto } from '../store/a-stored-run.ts';
import { aConfirmedSchedule } from '../store/a-schedule.ts';
import { aSignUpNeverCreated, anOrderToFundAgain, aVirtualAccountWithNumber } from '../store/stored-proposals.ts';
import { addAccountWithBooks, FIRST_DAY } from '../store/an-account-with-books.ts';
import { RunsInApproval } from '../store/runs-in-approval.ts';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { storeFundings } from '../../store/accounts/fundings.ts';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import { proposeChangeAs } from '../../store/approvals/changes.ts';
import { stopPaymentsAs } from '../../store/approvals/stops.ts';
import { addBeneficiaryLinesAs } from '../../store/beneficiaries/beneficiary-accounts.ts';
import { addDraft } from '../../store/payment-file/drafts.ts';
import { type ReferenceKind, saveReference } from '../../store/payment-file/reference-data.ts';
import { saveBalances } from '../../store/payments/balance-snapshots.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { explainBreakAs } from '../../store/reconciliation/breaks.ts';
import { storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { listFundingsAs, listRefundsAs, explainReceiptsAs } from '../store/refunds-under-test.ts';
import { OTHER } from '../store/limited-users.ts';

const FILE = Buffer.from('%PDF-');

/** All that users who are not administrators may do, and all that those may. */
interface People {
  people: TestUser;
  administrator: TestUser;
}

/** A record with one of each thing of an account, and users who are limited to it, to another one, and not at all. */
export interface DataOfAnAccount {
  ofAccount: People;
  ofOther: People;
  unlimited: People;
  /** By the name of the parameter that names it. */
  ids: Readonly<Record<string, string>>;
  /** Of those of the account and of those of another, each a draft of the account: drafts are their makers' own. */
  drafts: ReadonlyMap<TestUser, string>;
}

export async function dataOfAnAccount(testDatabase: TestDatabase): Promise<DataOfAnAccount> {
  const { asServer, asWorker, database } = testDatabase;
  await database.query(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox)
     values ($1, 'https://api.example.com', 'x', true), ($2, 'https://api.example.com', 'y', true)`,
    [ACCOUNT, OTHER],
  );
  const runs = await RunsInApproval.of(testDatabase);
  const paid = await runs.aRun(1);
  await runs.decide(runs.chris, paid.runId);
  const [paidRow = ''] = paid.paymentIds;
  await putInto(database, paidRow, 'paid', { providerPaymentId: randomUUID() });
  await bypassTriggers(database, 'update payments set sell_amount = 101, buy_amount = 80 where payment_id = $1', [
    paidRow,
  ]);
  const { runId, paymentIds } = await runs.aRun(1, undefined, [
    { name: 'invoice.pdf', contentType: 'application/pdf', bytes: FILE, sha256: contentSha256(FILE) },
  ]);
  const [tina, theo, olivia, ada] = await Promise.all([
    aUser(testDatabase, 'Tina', 'treasurer'),
    aUser(testDatabase, 'Theo', 'treasurer'),
    aUser(testDatabase, 'Olivia', 'onboarder'),
    aUser(testDatabase, 'Ada', 'administrator'),
  ]);
  const { subjectId: orderId } = await anOrderToFundAgain(testDatabase, tina);
  const { subjectId: caseId } = await aSignUpNeverCreated(testDatabase, olivia);
  const { subjectId: virtualAccountId } = await aVirtualAccountWithNumber(testDatabase, tina);
  const scheduleId = await aConfirmedSchedule(testDatabase, [tina, theo], aSchedule(SWEEP, { name: 'Sweep' }));
  await addMoney(testDatabase);
  const { breakId, remarkId } = await anExplainedBreak(testDatabase, runs.chris);
  await storeWebhook(asServer, {
    ...{ account: ACCOUNT, bodySha256: 'x', body: '{}', kind: 'unknown', resourceId: null, saysEnded: false },
  });
  const { stopId } = await stopPaymentsAs(asServer, ada.tokenHash, { scope: 'account', account: ACCOUNT }, 'a reason');
  const detail = { account: ACCOUNT, apiAddress: 'https://new.example.com', accessKey: 'z' };
  // The provider of a sandbox is not changed; of a real one nothing is approved before it is live.
  await withoutSecondFactors(database);
  await database.query('update provider_accounts set is_sandbox = false');
  await proposeChangeAs(asServer, ada.tokenHash, { kind: 'change_provider', userId: null, detail });
  await database.query('update provider_accounts set is_sandbox = true');
  await database.query(
    `insert into sign_up_pauses (account, http_status, answer_digest, first_refused_at, refusals) values ($1, 400, '\\x00', now(), 10)`,
    [ACCOUNT],
  );
  for (const account of [ACCOUNT, OTHER]) await addCurrencies(testDatabase, account);
  await saveBalances(asWorker, ACCOUNT, await beginReading(asWorker), [{ currency: 'USD', amount: '100.00' }]);
  const { rows } = await database.query<{ webhookId: string }>(
    'select webhook_id::text as "webhookId" from webhook_inbox',
  );
  const [ofAccount, ofOther, unlimited] = [
    await limitedPeople(testDatabase, 'Account', ACCOUNT),
    await limitedPeople(testDatabase, 'Other', OTHER),
    await limitedPeople(testDatabase, 'All', null),
  ];
  const { beneficiary } = beneficiaryAt('1');
  const lines = beneficiary.kind === 'details' ? [{ key: 'S-1', currency: 'GBP', details: beneficiary.details }] : [];
  const added = { account: ACCOUNT, source: 'import', lines } as const;
  await addBeneficiaryLinesAs(asServer, await payeesIn(database), ofAccount.people.tokenHash, added);
  const drafts = new Map<TestUser, string>();
  for (const { people } of [ofAccount, ofOther]) drafts.set(people, await aDraft(testDatabase, people));
  return {
    ...{ ofAccount, ofOther, unlimited, drafts },
    ids: {
      ...{ runId, caseId, orderId, scheduleId, virtualAccountId, breakId, stopId, remarkId },
      ...{ webhookId: rows[0]?.webhookId ?? '', paymentId: paymentIds[0] ?? '' },
    },
  };
}

async function limitedPeople(testDatabase: TestDatabase, name: string, account: string | null): Promise<People> {
  const roles = ['maker', 'checker', 'treasurer', 'onboarder', 'viewer'] as const;
  const both = {
    people: await aUser(testDatabase, `People of ${name}`, ...roles),
    administrator: await aUser(testDatabase, `Administrator of ${name}`, 'administrator'),
  };
  if (account === null) return both;
  for (const user of Object.values(both)) await limitTo(testDatabase.database, user, account);
  return both;
}

/** What the provider supports, as a worker reads it. */
async function addCurrencies({ asWorker }: TestDatabase, account: string): Promise<void> {
  const currencies = ['USD', 'EUR'].map((code) => ({ code, decimalPlaces: 2, name: code }));
  const content = { currencies, pairs: ['EURUSD'], local_currencies: [] };
  for (const [kind, list] of Object.entries(content) as [ReferenceKind, unknown][])
    await saveReference(asWorker, { account, kind, key: '', content: list, readAt: await beginReading(asWorker) });
  const set = { entityType: 'company', fields: { companyName: '^.+$' }, bankAccount: { iban: '^DE[0-9]{20}$' } };
  const corridor = { account, kind: 'requirements' as const, key: 'EUR/DE/DE', content: [set] };
  await saveReference(asWorker, { ...corridor, readAt: await beginReading(asWorker) });
}

/** A day with a receipt that nothing explains, and what the provider lists. */
async function addMoney(testDatabase: TestDatabase): Promise<void> {
  const { asServer, asWorker } = testDatabase;
  await addAccountWithBooks(testDatabase, ACCOUNT, { entryId: 'came-in' });
  await reportDeposit(asServer, ACCOUNT, {
    ...{ transactionId: '71', amount: '500', status: 'completed', virtualAccountId: null, accountNumber: null },
  });
  const funding = { id: 'f-1', balanceId: null, currency: 'EUR', amount: '500', reference: null, status: 'pending' };
  await storeFundings(asWorker, ACCOUNT, [funding], { readAt: await beginReading(asWorker), pass: null });
  const refund = { id: 'r-1', resource: null, resourceId: null, currency: 'EUR', amount: '5', remarks: null };
  await listRefundsAs(testDatabase, refund);
  await listFundingsAs(testDatabase, funding);
  await explainReceiptsAs(testDatabase);
  const found = await listReceipts(asServer, { accounts: [ACCOUNT], currency: 'USD', all: true, limit: 1 });
  if (found.length === 0) throw new Error('there is no receipt');
}

async function anExplainedBreak(
  { asServer, database }: TestDatabase,
  { tokenHash }: TestUser,
): Promise<{ breakId: string; remarkId: string }> {
  const { rows } = await database.query<{ breakId: string }>(
    `insert into reconciliation_breaks (account, digest, day, type, currency, fact_ids, entry_ids, found, is_interchangeable, reason)
     values ($1, 'x', $2, 'chain_broken', 'USD', '[]', '["came-in"]', 100, false, 'nothing explains it')
     returning break_id as "breakId"`,
    [ACCOUNT, FIRST_DAY],
  );
  const breakId = rows[0]?.breakId ?? '';
  await explainBreakAs(asServer, tokenHash, { breakId, reason: 'a late entry' });
  const { rows: explained } = await database.query<{ remarkId: string }>(
    'select remark_id as "remarkId" from reconciliation_breaks where break_id = $1',
    [breakId],
  );
  return { breakId, remarkId: explained[0]?.remarkId ?? '' };
}

async function aDraft({ asServer }: TestDatabase, { userId }: TestUser): Promise<string> {
  const draftId = randomUUID();
  const found = { leftOut: null, problems: [], problemCount: 0, warnings: [], warningCount: 0 };
  await addDraft(asServer, await payeesIn(asServer), {
    ...{
      draftId,
      makerId: userId,
      account: ACCOUNT,
      fileName: 'draft.csv',
      columns: ['row_ref', 'bank_account_holder_name'],
      profile: ownFormatProfile(['row_ref', 'bank_account_holder_name'])!,
      notes: [],
    },
    ...{ found, rows: [{ row: 1, cells: ['A-1', 'Drafted Ltd'] }], removed: [], corrected: [], files: noFiles() },
  });
  return draftId;
}

async function* noFiles(): AsyncGenerator<{ name: string; content: Uint8Array }> {}

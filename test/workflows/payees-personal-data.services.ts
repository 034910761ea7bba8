import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountText, nameText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { recordedWorkflows } from '../helpers/histories.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { linesWith, plainColumns } from '../helpers/plain-columns.ts';
import { approve, newRows, submitFile, textOf, untilPaid } from '../helpers/run-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** What a run has of those who are paid lies in encrypted columns alone. */

const HOLDER = 'Quillfeather Söhne';
const ACCOUNT = '87654321';
const PERSONAL = {
  beneficiary_company_name: 'Quillfeather Works',
  bank_account_holder_name: HOLDER,
  bank_account_number: ACCOUNT,
  beneficiary_address: '1 Quillfeather Street',
  beneficiary_city: 'Quillfeatherton',
  beneficiary_email: 'someone@quillfeather.example',
  beneficiary_nickname: 'quillfeather-7',
  payment_reference: 'Quillfeather 4711',
  echo: 'Quillfeather echo',
};
/** What of it names somebody, or their account. */
const TEXTS = ['Quillfeather', ACCOUNT];

let payrun: PayrunUnderTest;
let viewer: TestUser;
let runId: string;
let laterId: string;
let maker: PayrunClient;
let draftId: string;

beforeAll(async () => {
  payrun = await startPayrun();
  viewer = await aUser(payrun.testDatabase, 'Vic Viewer', 'viewer');
  const file = { name: 'invoice.pdf', bytes: Buffer.from('%PDF-1.4 for Quillfeather') };
  const [described, invalid] = [newRows(1, PERSONAL), newRows(1, { ...PERSONAL, amount: '1e3' })];
  runId = await paidRun([...described.map((row) => ({ ...row, supporting_files: file.name })), ...invalid], [file]);
  const { rows } = await payrun.database.query<{ beneficiary_id: string }>(
    `select beneficiary_id from payments where run_id = $1 and state = 'paid'`,
    [runId],
  );
  const byId = Object.entries(newRows(1, PERSONAL)[0] ?? {}).filter(([name]) => !/^(beneficiary|bank)_/.test(name));
  laterId = await paidRun([{ ...Object.fromEntries(byId), beneficiary_id: rows[0]?.beneficiary_id ?? '' }], []);
  maker = createPayrunClient({ url: payrun.serverUrl, token: payrun.maker.token });
  const drafted = newRows(2, { ...PERSONAL, amount: '1e3', buy_currency: PERSONAL.bank_account_holder_name });
  ({ draftId } = await maker.addDraft({
    fileName: 'draft.csv',
    file: csvOf(drafted),
    files: [{ ...file, contentType: 'application/pdf' }],
    profile: ownFormatProfile(Object.keys(drafted[0] ?? {}), { echo: PERSONAL.echo })!,
  }));
  await maker.changeDraft({ draftId, revision: 1, removeRows: [3] });
});

async function paidRun(rows: Record<string, string>[], files: { name: string; bytes: Buffer }[]): Promise<string> {
  const outcome = await submitFile(payrun, csvOf(rows), { onInvalid: 'skip', files });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
  await untilRun(payrun.application, outcome.runId, 'in_approval');
  await approve(payrun, outcome.runId);
  await untilPaid(payrun, outcome.runId);
  return outcome.runId;
}
afterAll(() => payrun.stop());

describe('personal data of payees', () => {
  test('is read by those who may, so that its absence elsewhere means something', async () => {
    const rows = await payrun.application.listRows(runId, {
      limit: 10,
      afterLine: 0,
      state: null,
      withInstructions: true,
    });
    expect(rows.map(({ state }) => state)).toEqual(['paid', 'invalid']);
    const withInstructions = { withInstructions: true, accounts: null };
    const left = await payrun.application.findRow(runId, rows[1]?.rowRef ?? '', withInstructions);
    expect(left?.asSubmitted).toContainEqual({ header: 'amount', text: '1e3' });
    expect(left?.asSubmitted).toContainEqual({ header: 'bank_account_holder_name', text: HOLDER });
    const masked = await payrun.application.findRow(runId, rows[1]?.rowRef ?? '');
    expect(masked).toMatchObject({ asSubmitted: null, errorMessage: null });
    expect(rows[0]).toMatchObject({ beneficiary: HOLDER, reference: PERSONAL.payment_reference });
    const [named] = await payrun.application.listRows(laterId, {
      limit: 1,
      afterLine: 0,
      state: null,
      withInstructions: true,
    });
    expect(named).toMatchObject({ state: 'paid', bankAccount: { accountNumber: ACCOUNT } });
    expect(await textOf(payrun.application.results(runId))).toContain(PERSONAL.echo);
    expect(await textOf(payrun.application.exceptions(runId))).toContain(HOLDER);
    const found = await payrun.application.findFile(runId, 'invoice.pdf');
    expect(Buffer.from(found?.bytes ?? []).toString()).toContain('for Quillfeather');
    const drafted = [await maker.getDraft({ draftId }), await maker.listDraftRows({ draftId, only: 'removed' })];
    for (const part of drafted) expect(JSON.stringify(part)).toContain('Quillfeather');
    const { findings } = (await payrun.application.findReview(runId, null)) ?? { findings: [] };
    expect(JSON.stringify(findings)).toContain('Quillfeather');
  });

  test.each([
    ['a word of the name', 'sohne'],
    ['all words of the name', 'quillfeather söhne'],
    ['the payment reference', PERSONAL.payment_reference],
    ['the end of the account number', ACCOUNT.slice(-4)],
  ])('is found by %s', async (_what, text) => {
    const { hits } = await payrun.application.search(viewer, text);
    expect(hits).toContainEqual(
      expect.objectContaining({ kind: 'row', runId, line: 2, title: expect.stringContaining(HOLDER) as string }),
    );
  });

  test('is in no plain column, and in no entry of the audit trail', async () => {
    const plain = await plainColumns(payrun.database);
    for (const text of TEXTS) expect(linesWith(plain, text)).toEqual([]);
  });

  test('is in no hash that somebody finds by trying', async () => {
    const plain = await plainColumns(payrun.database);
    const bankAccount = { country: 'GB', sortCode: '200000', accountNumber: ACCOUNT };
    for (const text of [accountText({ bankAccount }), nameText({ companyName: 'Quillfeather Works', bankAccount })])
      expect(linesWith(plain, contentSha256(text))).toEqual([]);
  });

  test('is in nothing that Temporal keeps', async () => {
    const recorded = await recordedWorkflows(payrun.temporal);
    expect(recorded.filter(({ text }) => TEXTS.some((each) => text.includes(each)))).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPLICANT_FIELDS } from '../../domain/onboarding/applicant-fields.ts';
import { COMPANY_KEYS_WITH_CHOICES, markedCompany, MARK } from '../helpers/marked-applicant.ts';
import { recordedWorkflows } from '../helpers/histories.ts';
import { decideUser, submitApplicant, supply, untilCase } from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { linesWith, plainColumns } from '../helpers/plain-columns.ts';
import { orderFaults } from '../helpers/sandbox-control.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';

/** What applicants give lies in encrypted columns alone. */

let payrun: PayrunUnderTest;
let onboarder: TestUser;
let checker: TestUser;
let administrator: TestUser;
const caseIds: string[] = [];

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: { screeningOutcome: 'operator', signupUserId: 'returned' } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
  checker = await aUser(payrun.testDatabase, 'Charlie Checker', 'checker');
  administrator = await aUser(payrun.testDatabase, 'Ada Administrator', 'administrator');
  const { sandbox } = payrun;
  // Refusals quote what was sent, and remarks name the applicant.
  await orderFaults(sandbox, { operation: 'user-detail-patch', kind: 'error_after' });
  const decided = await submitApplicant(payrun, onboarder, markedCompany());
  const { userId } = await untilCase(payrun, onboarder, decided, 'screening');
  await decideUser(sandbox, userId ?? '', 'documents_need_resubmission', `${MARK} must send the passport again`);
  await untilCase(payrun, onboarder, decided, 'resubmission');
  await supply(payrun, onboarder, decided, { documents: { passport: `${MARK}-again.pdf` } });
  await untilCase(payrun, onboarder, decided, 'screening');
  await decideUser(sandbox, userId ?? '', 'rejected', `${MARK} is not known`);
  await untilCase(payrun, onboarder, decided, 'rejected');
  // The sandbox refuses this sign-up: it has a user of that address, by another installation.
  const refused = await submitApplicant(payrun, onboarder, markedCompany({ provider_user_id: userId ?? '' }));
  await untilCase(payrun, onboarder, refused, 'refused');
  await payrun.application.withdrawCase(onboarder, refused, null).catch(() => undefined);
  caseIds.push(decided, refused);
});
afterAll(() => payrun.stop());

describe('personal data of an applicant', () => {
  test('is in what the test submits: every field that takes a text', () => {
    const marked = Object.entries(markedCompany()).filter(([, value]) => JSON.stringify(value).includes(MARK));
    const texts = APPLICANT_FIELDS.filter(({ kind }) => kind === 'text' || kind === 'email').map(({ key }) => key);
    expect(marked.map(([key]) => key)).toEqual(expect.arrayContaining(texts));
    expect(COMPANY_KEYS_WITH_CHOICES.length).toBeGreaterThan(0);
  });

  test('is read by those who may, so that its absence elsewhere means something', async () => {
    const shown = await payrun.application.findCase(onboarder, caseIds[0] ?? '', { withValues: true });
    expect(JSON.stringify(shown)).toContain(MARK);
    const file = await payrun.application.findCaseDocument(onboarder, caseIds[0] ?? '', {
      slot: 'passport',
      revision: null,
    });
    expect(file?.fileName).toBe(`${MARK}-again.pdf`);
    expect(Buffer.from(file?.bytes ?? []).toString()).toContain(MARK);
  });

  test('is exported with an entry in the audit trail that says who has it, and nothing of it', async () => {
    const caseId = caseIds[0] ?? '';
    expect(JSON.stringify(await payrun.application.exportCase(onboarder, caseId))).toContain(MARK);
    const entries = await payrun.application.listCaseAudit(caseId, { limit: 1_000, afterEntry: 0 });
    const exported = entries.filter(({ kind }) => kind === 'case_exported');
    expect(exported).toMatchObject([{ actor: onboarder.userId }]);
    expect(JSON.stringify(exported)).not.toContain(MARK);
  });

  test('is in no plain column, and in no entry of the audit trail', async () => {
    expect(linesWith(await plainColumns(payrun.database), MARK)).toEqual([]);
  });

  test('is in nothing that Temporal keeps', async () => {
    const recorded = await recordedWorkflows(payrun.temporal);
    expect(recorded.filter(({ type }) => type.startsWith('onboarding')).length).toBeGreaterThan(1);
    expect(recorded.filter(({ text }) => text.includes(MARK)).map(({ workflowId }) => workflowId)).toEqual([]);
  });

  test('is not answered without values, in errors, or to those who may not read it', async () => {
    const masked = await payrun.application.findCase(checker, caseIds[0] ?? '', { withValues: false });
    expect(JSON.stringify(masked)).not.toContain(MARK);
    const early = await payrun.application.eraseCase(administrator, caseIds[0] ?? '').catch((error: unknown) => error);
    expect(String(early)).toContain('is to be kept until');
    expect(JSON.stringify(early)).not.toContain(MARK);
  });

  test('is erased with its key, also from what a restored backup of the other tables has', async () => {
    const caseId = caseIds[0] ?? '';
    const { rows: backup } = await payrun.database.query<{ revision: number; encrypted: Buffer }>(
      'select revision, encrypted from case_revisions where case_id = $1',
      [caseId],
    );
    expect(backup.length).toBe(2);
    const past = `update cases set ended_at = now() - interval '10 years' where case_id = $1`;
    await bypassTriggers(payrun.database, past, [caseId]);
    await byTwo(payrun.testDatabase, payrun.application.eraseCase(administrator, caseId));
    for (const { revision, encrypted } of backup) {
      const restore = 'update case_revisions set encrypted = $3 where case_id = $1 and revision = $2';
      await bypassTriggers(payrun.database, restore, [caseId, revision, encrypted]);
    }
    const shown = await payrun.application.findCase(onboarder, caseId, { withValues: true });
    expect(shown).toMatchObject({ state: 'erased', values: null });
    expect(JSON.stringify(shown)).not.toContain(MARK);
    expect(
      await payrun.application.findCaseDocument(onboarder, caseId, { slot: 'passport', revision: null }),
    ).toBeNull();
  });
});

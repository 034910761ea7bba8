import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maskedCase } from '../../api/onboarding/case-detail.ts';
import { eraseCaseAs } from '../../store/onboarding/case-decisions.ts';
import { type AnswerProxy, startAnswerProxy } from '../helpers/answer-proxy.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { anIndividual, decideUser, submitApplicant, untilCase } from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';

/** A status as free text, which names the applicant. */
const STATUS = 'Quillfeather must call us';
const REMARKS = 'by phone';

let isUnlisted = true;
let proxy: AnswerProxy;
let payrun: PayrunUnderTest;
let onboarder: TestUser;
let caseId: string;

beforeAll(async () => {
  const sandbox = { screeningOutcome: 'operator', signupUserId: 'returned' } as const;
  payrun = await startPayrun({ sandbox, startProxy });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
  caseId = await submitApplicant(payrun, onboarder, anIndividual());
  await untilCase(payrun, onboarder, caseId, 'screening');
});
afterAll(async () => {
  await payrun.stop();
  proxy.close();
});

/** Shows the status while the sandbox shows that the user is being screened. */
async function startProxy(sandboxUrl: string): Promise<string> {
  const unlisted = `"status":${JSON.stringify(STATUS)},"remarks":${JSON.stringify(REMARKS)}`;
  proxy = await startAnswerProxy(sandboxUrl, (body) =>
    isUnlisted ? body.replace('"status":"pending_approval"', unlisted) : body,
  );
  return proxy.url;
}

const shown = async () => payrun.application.findCase(onboarder, caseId, { withValues: true });

/** The case, once a read has shown the status. */
const explained = () =>
  until(async () => {
    const found = await shown();
    return found?.stateReason === 'status_unlisted' && found;
  });

/** The tables with rows that contain the text, as it is or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await payrun.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await payrun.database.query(
      `select from ${name} t where to_jsonb(t)::text like $1 or to_jsonb(t)::text like $2 limit 1`,
      [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('a status that no version of the contract names', () => {
  test('is shown to those who may read personal data, and explains the case', async () => {
    const detail = await explained();
    expect(detail).toMatchObject({ state: 'screening', providerStatus: 'unlisted', unlistedStatus: STATUS });
    expect(detail.sentences.toDo).toContain('Ask the provider what the status means');
    expect(detail.remarks).toMatchObject([{ providerStatus: 'unlisted', text: REMARKS }]);
    expect(JSON.stringify(maskedCase(detail))).not.toContain(STATUS);
    expect(JSON.stringify(await payrun.application.findCase(onboarder, caseId, { withValues: false }))).not.toContain(
      STATUS,
    );
  });

  test('is in no plain column, and in no entry of the audit trail', async () => {
    await until(async () => {
      const read = `select from cases where case_id = $1 and state = 'screening' and reads > 0`;
      return (await payrun.database.query(read, [caseId])).rows.length > 0;
    });
    expect(await tablesWith(caseId)).toContain('cases');
    expect(await tablesWith(STATUS)).toEqual([]);
  });

  test('keeps the case observed: it goes on once the provider shows a status that is known', async () => {
    isUnlisted = false;
    await until(async () => (await shown())?.providerStatus === 'pending_approval');
    expect(await shown()).toMatchObject({ state: 'screening', stateReason: null, unlistedStatus: null });
    isUnlisted = true;
    await until(async () => (await shown())?.unlistedStatus === STATUS);
    await decideUser(payrun.sandbox, (await shown())?.userId ?? '', 'approved');
    const approved = await untilCase(payrun, onboarder, caseId, 'approved');
    expect(approved).toMatchObject({ providerStatus: 'approved', unlistedStatus: null });
  });

  test('is erased with the case', async () => {
    const past = `update cases set ended_at = now() - interval '10 years', encrypted_status = 'x' where case_id = $1`;
    await bypassTriggers(payrun.database, past, [caseId]);
    const administrator = await aUser(payrun.testDatabase, 'Ada Administrator', 'administrator');
    await byTwo(payrun.testDatabase, eraseCaseAs(payrun.testDatabase.asServer, administrator.tokenHash, caseId));
    const { rows } = await payrun.database.query('select encrypted_status from cases where case_id = $1', [caseId]);
    expect(rows).toEqual([{ encrypted_status: null }]);
  });
});

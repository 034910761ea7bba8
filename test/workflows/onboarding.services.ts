import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import {
  anIndividual,
  decideUser,
  filesNamedIn,
  expectSignedUpOnce,
  submitApplicant,
  supply,
  textIn,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** An applicant on every usual way. A company, and a provider that returns no user id: onboarding.long.ts. */

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    sandbox: { screeningOutcome: 'operator', secondSignUp: 'accept', signupUserId: 'returned' },
  });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterAll(() => payrun.stop());

describe('an applicant', () => {
  test('is signed up, prepared, screened, and ends as the provider decides', async () => {
    const caseId = await submitApplicant(payrun, onboarder, anIndividual());
    const screened = await untilCase(payrun, onboarder, caseId, 'screening');
    expect(screened.documents.map(({ slot, state }) => [slot, state])).toEqual([
      ['passport', 'verified'],
      ['utility_bill', 'verified'],
    ]);
    await decideUser(payrun.sandbox, screened.userId ?? '', 'approved');
    const approved = await untilCase(payrun, onboarder, caseId, 'approved');
    expect(approved.providerStatus).toBe('approved');
  });

  test('gives again what the provider asks for, as often as it asks', async () => {
    const caseId = await submitApplicant(payrun, onboarder, anIndividual());
    for (const round of [1, 2]) {
      const screened = await untilCase(payrun, onboarder, caseId, 'screening');
      await decideUser(
        payrun.sandbox,
        screened.userId ?? '',
        'documents_need_resubmission',
        'the passport is not readable',
      );
      const asked = await untilCase(payrun, onboarder, caseId, 'resubmission');
      expect(asked.remarks.map(({ text }) => text)).toContain('the passport is not readable');
      await supply(payrun, onboarder, caseId, { documents: { passport: `passport-${round + 1}.pdf` } });
    }
    const screened = await untilCase(payrun, onboarder, caseId, 'screening');
    expect(screened.documents.find(({ slot }) => slot === 'passport')).toMatchObject({
      revision: 3,
      state: 'verified',
    });
    await decideUser(payrun.sandbox, screened.userId ?? '', 'approved');
    await untilCase(payrun, onboarder, caseId, 'approved');
  });

  test('that is submitted twice is one case, signed up once', async () => {
    const values = anIndividual();
    const first = await submitApplicant(payrun, onboarder, values);
    expect(await submitApplicant(payrun, onboarder, values)).toBe(first);
    await untilCase(payrun, onboarder, first, 'screening');
    await expectSignedUpOnce(payrun.sandbox);
  });

  test('whose file another case has is accepted with a warning', async () => {
    const outcomeOf = async (values: ReturnType<typeof anIndividual>) =>
      payrun.application.submitApplicants(onboarder, {
        ...{ account: null, fileName: 'a.json', format: 'json', dryRun: false },
        content: Buffer.from(JSON.stringify(values)),
        files: filesNamedIn(values),
      });
    const documents = { passport: 'of-nobody-else.pdf', utility_bill: 'of-nobody-either.pdf' };
    const first = anIndividual({ applicant_ref: 'w-1', email: 'x1@example.com', documents });
    expect(await outcomeOf(first)).toMatchObject({ kind: 'accepted', warnings: [] });
    const second = anIndividual({
      applicant_ref: 'w-2',
      email: 'x2@example.com',
      documents: { ...documents, utility_bill: 'own.pdf' },
    });
    expect(await outcomeOf(second)).toMatchObject({
      warnings: [
        {
          applicantRef: 'w-2',
          code: 'document_in_other_case',
          message: 'the file of passport is also in the case w-1',
        },
      ],
    });
  });

  test('whose mail address another case has is refused before anything is stored', async () => {
    const values = anIndividual();
    await submitApplicant(payrun, onboarder, values);
    const second = submitApplicant(payrun, onboarder, {
      ...anIndividual(),
      email: textIn(values, 'email').toUpperCase(),
    });
    await expect(second).rejects.toThrow('has this mail address already');
    // Beside everything else that is wrong.
    const third = submitApplicant(payrun, onboarder, {
      ...anIndividual(),
      email: textIn(values, 'email'),
      gender: 'x',
    });
    await expect(third).rejects.toThrow(/email_known.*unknown_choice|unknown_choice.*email_known/);
  });
});

import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { ApplicantsRefusedError, type CaseState, PayrunApiError } from '../../client/sdk/index.ts';
import { anAuditEntry } from '../server/application-records.ts';
import { aCaseDetail, aCaseManualOutcome, anApplicantProblem, CASE } from '../server/case-records.ts';
import { aClient, all } from './sdk-harness.ts';

const isApproved = (state: CaseState): boolean => state === 'approved';

async function aClientWithACase(...args: Parameters<typeof aClient>) {
  const { application, client } = await aClient(...args);
  application.cases.set(CASE, aCaseDetail());
  return { application, client };
}

describe('the client of onboarding', () => {
  it('submits and supplies with everything that belongs to it', async () => {
    const { application, client } = await aClientWithACase('onboarder');
    const documents = [{ name: 'anna.pdf', contentType: 'application/pdf', bytes: new TextEncoder().encode('%PDF') }];
    const applicants = { fileName: 'anna.yaml', content: 'email: ä', documents };
    const submitted = await client.submitApplicants({ ...applicants, account: 'asia', dryRun: true });
    expect(submitted).toMatchObject({ newCount: 1 });
    const supplied = await client.supplyCase({ ...applicants, caseId: CASE, revision: 1 });
    expect(supplied).toEqual({ caseId: CASE, revision: 2 });
    const received = { content: 'email: ä', files: [{ name: 'anna.pdf', content: '%PDF' }] };
    expect(application.received).toMatchObject([
      { ...received, given: { account: 'asia', dryRun: true, format: 'yaml' } },
      { ...received, given: { revision: 1 } },
    ]);
  });

  it('gives every problem of a refused file', async () => {
    const { application, client } = await aClientWithACase('onboarder');
    const problems = [anApplicantProblem(), anApplicantProblem({ line: null })];
    application.applicantOutcome = { kind: 'refused', problems, problemCount: 5_321 };
    const error: unknown = await client
      .submitApplicants({ fileName: 'a.csv', content: '' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApplicantsRefusedError);
    expect(error).toMatchObject({ status: 422, code: 'applicants_refused', problems, problemCount: 5_321 });
  });

  it('reads cases, their documents and what happened to them', async () => {
    const { application, client } = await aClientWithACase('viewer');
    expect((await client.listCases({ state: 'resubmission', limit: 10 })).cases).toMatchObject([{ caseId: CASE }]);
    const { allowedActions, ...detail } = await client.getCase({ caseId: CASE });
    expect(detail).toEqual(aCaseDetail());
    expect(allowedActions).toMatchObject([{ action: 'approve' }]);
    expect(await client.getCase({ caseId: CASE, values: false })).toMatchObject({ values: null, isMasked: true });
    const bytes = new Uint8Array([0, 255, 10]);
    application.caseFiles.set('passport', { fileName: 'a', contentType: 'application/pdf', bytes });
    expect(Buffer.concat(await all(client.getCaseDocument({ caseId: CASE, slot: 'passport' })))).toEqual(
      Buffer.from(bytes),
    );
    application.caseEntries = Array.from({ length: 1_100 }, (_, index) => anAuditEntry({ entryId: index + 1 }));
    expect(await all(client.eachCaseAuditEntry({ caseId: CASE }))).toHaveLength(1_100);
  });

  it('decides', async () => {
    const { application, client } = await aClientWithACase('onboarder');
    const { manualOutcomeId } = aCaseManualOutcome();
    await client.withdrawCase({ caseId: CASE });
    await client.proposeCaseManualOutcome({ caseId: CASE, outcome: 'never_created', reason: 'x' });
    await client.confirmCaseManualOutcome({ caseId: CASE, manualOutcomeId });
    await client.rejectCaseManualOutcome({ caseId: CASE, manualOutcomeId, reason: 'x' });
    const methods = ['withdrawCase', 'proposeCaseManualOutcome', 'confirmCaseManualOutcome', 'rejectCaseManualOutcome'];
    expect(application.calls.map(({ method }) => method)).toEqual(methods);
    await expect(client.eraseCase({ caseId: CASE })).rejects.toMatchObject({ status: 403 });
  });

  it('escapes ids, so that they cannot reach another address', async () => {
    const { client } = await aClientWithACase();
    await expect(client.getCase({ caseId: '../tokens' })).rejects.toMatchObject({ status: 400 });
  });
});

describe('watching cases', () => {
  it('goes on while the server is away for a while, with pauses that grow until something changes', async () => {
    const { application, client } = await aClientWithACase('onboarder');
    const pauses: number[] = [];
    application.failures.set('findCase', new ApplicationError('unavailable', 'the database does not answer'));
    const wait = (delayMs: number): Promise<void> => {
      pauses.push(delayMs);
      if (pauses.length === 2) application.failures.clear();
      if (pauses.length === 3) application.cases.set(CASE, aCaseDetail({ state: 'approved' }));
      return Promise.resolve();
    };
    const seen = await all(client.watchCases([CASE], isApproved, { wait }));
    expect(seen.map(({ state }) => state)).toEqual(['resubmission', 'approved']);
    expect(pauses).toEqual([2_000, 4_000, 2_000]);
  });

  it('gives up when the server stays away, and at once when it refuses', async () => {
    const { application, client } = await aClientWithACase('onboarder');
    let clockMs = 0;
    const wait = () => {
      clockMs += 4_000;
      return Promise.resolve();
    };
    application.failures.set('findCase', new ApplicationError('unavailable', 'away'));
    await expect(
      all(client.watchCases([CASE], isApproved, { wait, now: () => clockMs, reconnectTimeoutMs: 10_000 })),
    ).rejects.toMatchObject({
      status: 503,
    });
    application.failures.clear();
    application.cases.clear();
    await expect(all(client.watchCases([CASE], isApproved, { wait }))).rejects.toThrow(PayrunApiError);
  });

  it('ends with the reason of an aborted signal', async () => {
    const { client } = await aClientWithACase('onboarder');
    const reason = new Error('enough');
    const watching = client.watchCases([CASE], isApproved, { signal: AbortSignal.abort(reason) });
    await expect(all(watching)).rejects.toBe(reason);
  });
});

import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { ROLES, type Role } from '../../domain/users/role.ts';
import { anAuditEntry } from './application-records.ts';
import { aCaseDetail, aCaseManualOutcome, CASE, CASE_SECRETS, OTHER_CASE } from './case-records.ts';
import { anApp, type TestApp } from './server-harness.ts';

const URL = `/api/v1/cases/${CASE}`;
/** By the table of roles in the design. */
const MAY_READ_CASES: readonly Role[] = ['checker', 'onboarder', 'viewer', 'administrator'];
const MAY_READ_APPLICANTS: readonly Role[] = ['onboarder', 'viewer'];

function anAppWithACase(fields: Parameters<typeof aCaseDetail>[0] = {}): TestApp {
  const app = anApp();
  app.application.cases.set(CASE, aCaseDetail(fields));
  return app;
}

describe('a case', () => {
  it.each(MAY_READ_CASES)('shows a %s personal data only if the role allows it', async (role) => {
    const { as, application } = anAppWithACase();
    const response = await as(role, { url: URL });
    const mayRead = MAY_READ_APPLICANTS.includes(role);
    expect(response.statusCode).toBe(200);
    for (const secret of CASE_SECRETS) expect(response.body.includes(secret), secret).toBe(mayRead);
    expect(response.json()).toMatchObject({
      state: 'resubmission',
      isMasked: !mayRead,
      sentences: expect.any(Object) as object,
    });
    expect(application.valuesAsked).toEqual([mayRead]);
  });

  it('is masked once more by the server, whatever the application answers', async () => {
    const { as, application } = anAppWithACase();
    application.findCase = () => Promise.resolve(aCaseDetail());
    const { body } = await as('checker', { url: URL });
    for (const secret of CASE_SECRETS) expect(body).not.toContain(secret);
  });

  it('is read without personal data when nobody asks for it', async () => {
    const { as, application } = anAppWithACase();
    const { body } = await as('onboarder', { url: `${URL}?values=false` });
    for (const secret of CASE_SECRETS) expect(body).not.toContain(secret);
    expect(application.valuesAsked).toEqual([false]);
    expect((await as('onboarder', { url: `${URL}?values=no` })).statusCode).toBe(400);
  });

  it('that does not exist is not found, and what is no id names none', async () => {
    const { as } = anApp();
    const missing = await as('viewer', { url: URL });
    expect([missing.statusCode, missing.json()]).toMatchObject([
      404,
      { error: { message: `there is no case ${CASE}` } },
    ]);
    expect((await as('viewer', { url: `${URL}/audit` })).statusCode).toBe(404);
    expect((await as('viewer', { url: '/api/v1/cases/anna' })).statusCode).toBe(400);
  });

  it.each(CASE_STATES)('may be %s', async (state) => {
    const { as } = anAppWithACase({ state });
    expect((await as('viewer', { url: URL })).json()).toMatchObject({ state });
  });

  it('has its own entries of the audit trail, page by page', async () => {
    const { as, application } = anAppWithACase();
    application.caseEntries = [1, 2].map((entryId) => anAuditEntry({ entryId, runId: null, kind: 'case_moved' }));
    const first = (await as('checker', { url: `${URL}/audit?limit=1` })).json<{ nextAfterEntry: number }>();
    expect(first).toMatchObject({ entries: [{ entryId: 1 }], nextAfterEntry: 1 });
    const rest = await as('checker', { url: `${URL}/audit?afterEntry=${first.nextAfterEntry}` });
    expect(rest.json()).toMatchObject({ entries: [{ entryId: 2 }], nextAfterEntry: null });
  });
});

describe('the list of cases', () => {
  it('has no personal data, and is filtered by account and state', async () => {
    const { as, application } = anAppWithACase();
    application.cases.set(OTHER_CASE, aCaseDetail({ caseId: OTHER_CASE, account: 'asia', state: 'approved' }));
    const all = await as('administrator', { url: '/api/v1/cases' });
    expect(all.json<{ cases: object[] }>().cases).toHaveLength(2);
    for (const secret of CASE_SECRETS) expect(all.body).not.toContain(secret);
    for (const query of ['account=asia', 'state=approved']) {
      const some = await as('viewer', { url: `/api/v1/cases?${query}` });
      expect(some.json()).toMatchObject({ cases: [{ caseId: OTHER_CASE }], nextAfter: null });
    }
    expect((await as('viewer', { url: '/api/v1/cases?limit=1' })).json()).toMatchObject({ nextAfter: CASE });
  });

  it.each(['state=gone', 'after=anna', 'limit=0', 'limit=201', 'account='])('refuses %s', async (query) => {
    const { as } = anApp();
    expect((await as('viewer', { url: `/api/v1/cases?${query}` })).statusCode).toBe(400);
  });
});

describe('a document', () => {
  it('is answered as it is, to be saved and not shown', async () => {
    const { as, application } = anAppWithACase();
    const bytes = new Uint8Array([0, 255, 13, 10]);
    application.caseFiles.set('passport', { fileName: 'Müller "1".pdf', contentType: 'application/pdf', bytes });
    application.caseFiles.set('photo', { fileName: 'x', contentType: 'text/html', bytes });
    const { rawPayload, headers } = await as('viewer', { url: `${URL}/documents/passport` });
    expect([...rawPayload]).toEqual([...bytes]);
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="M_ller _1_\.pdf"/);
    const other = await as('onboarder', { url: `${URL}/documents/photo` });
    expect(other.headers['content-type']).toBe('application/octet-stream');
  });

  it('that the case does not have is not found', async () => {
    const { as } = anAppWithACase();
    expect((await as('viewer', { url: `${URL}/documents/passport_2` })).statusCode).toBe(404);
    expect((await as('viewer', { url: `${URL}/documents/anna.pdf` })).statusCode).toBe(400);
  });
});

describe('a decision about a case', () => {
  const decisions: [string, Role, object | undefined, string][] = [
    ['withdraw', 'onboarder', { reason: 'no longer a customer' }, 'withdrawCase'],
    ['retry', 'onboarder', undefined, 'retryCase'],
    ['export', 'viewer', undefined, 'exportCase'],
    [
      'manual-outcome',
      'onboarder',
      { outcome: 'signed_up', userId: 'u-1', reason: 'mail' },
      'proposeCaseManualOutcome',
    ],
    ['manual-outcome', 'onboarder', { outcome: 'never_created', reason: 'mail' }, 'proposeCaseManualOutcome'],
    [
      'manual-outcome/confirm',
      'checker',
      { manualOutcomeId: aCaseManualOutcome().manualOutcomeId },
      'confirmCaseManualOutcome',
    ],
    [
      'manual-outcome/reject',
      'checker',
      { manualOutcomeId: aCaseManualOutcome().manualOutcomeId },
      'rejectCaseManualOutcome',
    ],
  ];

  it.each(decisions)(
    '%s reaches the application, and answers the case as the user may see it',
    async (verb, role, payload, method) => {
      const { as, application } = anAppWithACase();
      const response = await as(role, {
        method: 'POST',
        url: `${URL}/${verb}`,
        ...(payload === undefined ? {} : { payload }),
      });
      expect(response.statusCode).toBe(200);
      expect(application.calls).toMatchObject([{ method, login: role, asked: { caseId: CASE, ...payload } }]);
      const mayRead = MAY_READ_APPLICANTS.includes(role);
      expect(response.body.includes('the passport of Anna is blurred')).toBe(mayRead);
    },
  );

  it('erase is answered with what a second administrator confirms', async () => {
    const { as, application } = anAppWithACase();
    const response = await as('administrator', { method: 'POST', url: `${URL}/erase` });
    expect([response.statusCode, response.json()]).toEqual([200, { change: null }]);
    expect(application.calls).toMatchObject([{ method: 'eraseCase', asked: { caseId: CASE } }]);
  });

  it.each([
    ['manual-outcome', { outcome: 'signed_up', reason: 'mail' }, 'body.userId'],
    ['manual-outcome', { outcome: 'never_created', userId: 'u-1', reason: 'mail' }, 'body.userId'],
    ['manual-outcome', { outcome: 'signed_up', userId: 'u-1', reason: ' ' }, 'must say how it is known'],
    ['manual-outcome', { outcome: 'signed_up', userId: 'not an id', reason: 'mail' }, 'does not look like an id'],
    ['manual-outcome', { outcome: 'gone', reason: 'mail' }, 'body.outcome'],
    ['manual-outcome/confirm', {}, 'body.manualOutcomeId'],
    ['manual-outcome/reject', { manualOutcomeId: 'x' }, 'is not a manual outcome id'],
    ['withdraw', { reason: 'x', force: true }, 'force'],
  ])('%s with %j is refused and named', async (verb, payload, said) => {
    const { as, application } = anAppWithACase();
    const { statusCode, body } = await as('onboarder', { method: 'POST', url: `${URL}/${verb}`, payload });
    expect([statusCode, application.calls]).toEqual([400, []]);
    expect(body).toContain(said);
  });

  it('that does not fit the state of the case is 409', async () => {
    const { as, application } = anAppWithACase();
    application.failures.set('eraseCase', new ApplicationError('conflict', 'the data is to be kept until 2031-01-06'));
    const response = await as('administrator', { method: 'POST', url: `${URL}/erase` });
    expect([response.statusCode, response.body]).toEqual([409, expect.stringContaining('until 2031-01-06')]);
  });
});

describe('a case of another account', () => {
  const requests: ['GET' | 'POST', string][] = [
    ['GET', ''],
    ['GET', '/audit'],
    ['GET', '/documents/passport'],
    ['POST', '/supply'],
    ['POST', '/withdraw'],
    ['POST', '/erase'],
    ['POST', '/manual-outcome'],
    ['POST', '/manual-outcome/confirm'],
    ['POST', '/manual-outcome/reject'],
  ];

  function aLimitedApp(account: string): TestApp {
    const app = anAppWithACase({ account });
    for (const [token, user] of app.application.users) {
      app.application.users.set(token, { ...user, accounts: ['subsidiary'] });
    }
    return app;
  }

  it.each(requests)('does not exist for a user who is limited: %s %s', async (method, path) => {
    const { as, application } = aLimitedApp('default');
    for (const role of ROLES) {
      application.cases.set(CASE, aCaseDetail({ account: 'default' }));
      const refused = await as(role, { method, url: `${URL}${path}` });
      application.cases.clear();
      const missing = await as(role, { method, url: `${URL}${path}` });
      expect([refused.statusCode, refused.body]).toEqual([missing.statusCode, missing.body]);
      expect([403, 404]).toContain(refused.statusCode);
    }
    expect([application.valuesAsked, application.calls, application.received]).toEqual([[], [], []]);
  });

  it('is recorded when somebody asks for it', async () => {
    const { as, application } = aLimitedApp('default');
    await as('viewer', { url: URL });
    expect(application.refusedAccess).toMatchObject([
      { kind: 'access_refused', userId: 'user-viewer', route: 'GET /api/v1/cases/:caseId', why: 'account' },
    ]);
  });

  it('is none of their own, which is there, and asked for only where a user is limited', async () => {
    const limited = aLimitedApp('subsidiary');
    expect((await limited.as('viewer', { url: URL })).statusCode).toBe(200);
    expect(limited.application.casesAsked).toEqual([CASE]);
    const free = anAppWithACase();
    expect((await free.as('viewer', { url: URL })).statusCode).toBe(200);
    expect(free.application.casesAsked).toEqual([]);
  });

  it('is in no list', async () => {
    const { as, application } = aLimitedApp('default');
    application.cases.set(OTHER_CASE, aCaseDetail({ caseId: OTHER_CASE, account: 'subsidiary' }));
    const { cases } = (await as('viewer', { url: '/api/v1/cases' })).json<{ cases: { caseId: string }[] }>();
    expect(cases.map(({ caseId }) => caseId)).toEqual([OTHER_CASE]);
  });
});

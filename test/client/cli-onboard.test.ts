import { describe, expect, it } from 'vitest';
import { renderCase } from '../../client/cli/onboarding/render-case.ts';
import { renderCases } from '../../client/cli/onboarding/render-cases.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aCase, aCaseDetail, aCaseDocument, aCaseResolution, CASE, CASE_SECRETS } from '../server/case-records.ts';
import { aCommandLine } from './cli-harness.ts';

const EVIL = 'a\u001b[2J\u202eb';

async function aLineWithACase(fields: Parameters<typeof aCaseDetail>[0] = {}) {
  const line = await aCommandLine();
  line.application.cases.set(CASE, aCaseDetail(fields));
  return line;
}

describe('onboard list', () => {
  it('shows cases with what is asked for, and filters them', async () => {
    const { run } = await aLineWithACase({ missing: ['document_passport', 'date_of_birth', 'new_field'] });
    const { code, stdout } = await run(['onboard', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`${CASE} +A-17 +individual +resubmission +2026-01-06 09:00 UTC +default`));
    expect(stdout).toContain('document: passport, Date of birth, new field');
    expect((await run(['onboard', 'list', '--state', 'approved'])).stdout).toBe('There are no such cases.\n');
    expect((await run(['onboard', 'list', '--account', 'asia'])).stdout).toBe('There are no such cases.\n');
    const json = await run(['onboard', 'list', '--json'], { role: 'administrator' });
    expect(JSON.parse(json.stdout)).toMatchObject({ cases: [{ caseId: CASE }], nextAfter: null });
    for (const secret of CASE_SECRETS) expect(json.stdout).not.toContain(secret);
    expect((await run(['onboard', 'list', '--state', 'gone'])).code).toBe(2);
  });

  it('says that there are more', () => {
    expect(renderCases({ cases: [aCase()], nextAfter: CASE })).toContain('… and older ones');
  });
});

describe('onboard show', () => {
  it('explains the state, and shows what is asked for beside the remarks, and what to do', async () => {
    const { run } = await aLineWithACase({ missing: ['document_passport'], stateReason: 'document_unverified' });
    const { stdout } = await run(['onboard', 'show', CASE]);
    expect(stdout).toContain('resubmission: The provider asks for documents or details again.');
    expect(stdout).toContain('the provider still shows another file');
    expect(stdout).toContain(
      [
        'Asked for:',
        '  document: passport',
        '',
        'The provider wrote:',
        '  2026-01-06 09:00 UTC, documents_need_resubmission: the passport of Anna is blurred',
      ].join('\n'),
    );
    expect(stdout).toMatch(/first name +Anna Probe/);
    expect(stdout).toMatch(/passport +anna passport\.pdf +application\/pdf +12,345 +1 +the provider has it/);
    expect(stdout).toMatch(/sign up +1 +2026-01-05 09:00 UTC +2026-01-05 09:00 UTC +200 +took effect/);
    expect(stdout).toContain('What to do: Supply another passport.');
  });

  it('shows a checker no personal data, and says who may see it', async () => {
    const { run } = await aLineWithACase();
    const { stdout } = await run(['onboard', 'show', CASE], { role: 'checker' });
    for (const secret of CASE_SECRETS) expect(stdout).not.toContain(secret);
    expect(stdout).toContain('shown to these roles only: onboarder, viewer.');
    expect(stdout).toContain('documents_need_resubmission: (not shown)');
  });

  it('shows the proposals of an unknown case, and how to decide on them', () => {
    const denied = aCaseResolution({ state: 'denied', closingReason: 'no proof', reason: null, userId: null });
    const text = renderCase(aCaseDetail({ state: 'unknown', resolutions: [denied, aCaseResolution()] }));
    expect(text).toContain('UTC: (erased)');
    expect(text).toContain('denied: no proof');
    expect(text).toContain('Proposed as signed up (user user-0001) by Oda');
    expect(text).toContain('needs a second person');
    expect(text).toContain(`payrun onboard resolve ${CASE} --confirm`);
    const confirmedBy = { userId: 'c', name: 'Cai' };
    const confirmed = renderCase(aCaseDetail({ state: 'unknown', resolutions: [aCaseResolution({ confirmedBy })] }));
    expect(confirmed).toContain('confirmed by Cai, being carried out');
    expect(confirmed).not.toContain('--confirm');
  });

  it('says who denied a proposal, who took theirs back, and that it is payrun that contradicts one', () => {
    const [closedAt, confirmedBy] = ['2026-01-07T09:00:00.000Z', { userId: 'c', name: 'Cai' }];
    const text = renderCase(
      aCaseDetail({
        state: 'unknown',
        resolutions: [
          aCaseResolution({ state: 'denied', closedAt, closedBy: confirmedBy, closingReason: 'no proof' }),
          aCaseResolution({ state: 'denied', closedAt, closedBy: aCaseResolution().proposedBy }),
          aCaseResolution({ state: 'contradicted', closedAt, confirmedBy, closingReason: 'it has no such user' }),
          aCaseResolution({ state: 'denied', closedAt, confirmedBy, closedBy: confirmedBy }),
          aCaseResolution({ state: 'confirmed', closedAt, confirmedBy }),
        ],
      }),
    );
    expect(text.split('\n').filter((line) => line.startsWith('  ') && line.includes(' on 2026-01-07'))).toEqual([
      '  denied by Cai on 2026-01-07 09:00 UTC: no proof',
      '  taken back by Oda on 2026-01-07 09:00 UTC',
      '  confirmed by Cai, then contradicted by payrun on 2026-01-07 09:00 UTC: it has no such user',
      '  confirmed by Cai, then denied by Cai on 2026-01-07 09:00 UTC',
      '  confirmed by Cai on 2026-01-07 09:00 UTC',
    ]);
  });

  it('shows an erased case without data, and one of which nothing was sent', () => {
    const text = renderCase(
      aCaseDetail({ state: 'erased', stateReason: 'approved', values: null, requests: [], userId: null }),
    );
    expect(text).toContain('The personal data was erased.');
    expect(text).toContain('Nothing was sent to the provider yet.');
    expect(text).toMatch(/Reason +approved/);
  });

  it('cannot act on the terminal by what people and the provider wrote', () => {
    const remark = { providerStatus: EVIL, text: EVIL, seenAt: EVIL };
    const detail = aCaseDetail({
      ...{ applicantRef: EVIL, providerStatus: EVIL, advice: EVIL, values: { [EVIL]: EVIL }, missing: [EVIL] },
      ...{
        userId: EVIL,
        stateReason: EVIL,
        remarks: [remark],
        documents: [aCaseDocument({ slot: EVIL, fileName: EVIL })],
      },
      resolutions: [aCaseResolution({ reason: EVIL, closingReason: EVIL, userId: EVIL })],
    });
    for (const text of [renderCase(detail), renderCases({ cases: [detail], nextAfter: null })]) {
      expect(text).toContain('\\u{1b}');
      expect(text).not.toMatch(/[\u001b\u202e]/);
    }
  });

  it('of a case that does not exist is wrong input', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['onboard', 'show', CASE]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`there is no case ${CASE}`)]);
    expect((await run(['onboard', 'show', 'anna'])).stderr).toContain('not the id of a case');
  });
});

describe('onboard withdraw and forget', () => {
  it('end a case, and say what the provider keeps', async () => {
    const { application, run } = await aLineWithACase();
    const withdrawn = await run(['onboard', 'withdraw', CASE, '--reason', 'no longer a customer']);
    expect(withdrawn.stdout).toContain('The provider still has the user');
    expect(withdrawn.stderr).toMatch(/^Acting as /);
    expect(application.calls).toMatchObject([{ method: 'withdrawCase', asked: { reason: 'no longer a customer' } }]);
  });

  it.each(['forget', 'erase'])('%s destroys the data of a case, as an administrator', async (command) => {
    const { application, run } = await aLineWithACase();
    expect((await run(['onboard', command, CASE])).code).toBe(4);
    const { code, stdout } = await run(['onboard', command, CASE, '--json'], { role: 'administrator' });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: 'erased', values: null }]);
    expect(application.calls).toMatchObject([{ method: 'eraseCase', login: 'administrator', asked: { caseId: CASE } }]);
  });

  it('are refused with the reason before the retention date', async () => {
    const { application, run } = await aLineWithACase();
    application.failures.set('eraseCase', new ApplicationError('conflict', 'to be kept until 2031-01-06'));
    const { code, stderr } = await run(['onboard', 'forget', CASE], { role: 'administrator' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('to be kept until 2031-01-06')]);
  });
});

describe('onboard resolve', () => {
  const RESOLVE = ['onboard', 'resolve', CASE];

  it('proposes an outcome, and says that nothing has changed yet', async () => {
    const { application, run } = await aLineWithACase({ state: 'unknown' });
    const signedUp = ['--outcome', 'signed-up', '--user-id', 'u-1', '--reason', 'their mail'];
    const { code, stdout } = await run([...RESOLVE, ...signedUp]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing has changed yet')]);
    await run([...RESOLVE, '--outcome', 'never-created', '--reason', 'they have none']);
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { caseId: CASE, outcome: 'signed_up', userId: 'u-1', reason: 'their mail' },
      { caseId: CASE, outcome: 'never_created', userId: null, reason: 'they have none' },
    ]);
  });

  it('confirms the proposal that is open, or the one that was named', async () => {
    const open = aCaseResolution();
    const { application, run } = await aLineWithACase({ resolutions: [open] });
    const { code, stdout } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect([code, stdout]).toEqual([0, `Confirmed. payrun now carries it out: payrun onboard show ${CASE}\n`]);
    const other = '018f2a00-0000-7000-8000-0000000000b9';
    await run([...RESOLVE, '--confirm', other, '--json'], { role: 'checker' });
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { caseId: CASE, resolutionId: open.resolutionId },
      { caseId: CASE, resolutionId: other },
    ]);
  });

  it('denies with a reason', async () => {
    const { application, run } = await aLineWithACase({ resolutions: [aCaseResolution()] });
    const { stdout } = await run([...RESOLVE, '--deny', '--reason', 'no proof']);
    expect(stdout).toBe('Denied. The case of A-17 is resubmission.\n');
    expect(application.calls[0]?.asked).toMatchObject({ reason: 'no proof' });
  });

  it('exits with 3 when the provider contradicts what is confirmed', async () => {
    const { application, run } = await aLineWithACase({ resolutions: [aCaseResolution()] });
    const contradicted = aCaseResolution({ state: 'contradicted', closingReason: 'the provider shows another person' });
    application.confirmCaseResolution = () => Promise.resolve(aCaseDetail({ resolutions: [contradicted] }));
    const { code, stdout, stderr } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('not resolved: the provider shows another person');
  });

  it.each([
    [[], 'exactly one of'],
    [['--outcome', 'signed-up', '--confirm'], 'exactly one of'],
    [['--outcome', 'signed-up', '--reason', 'x'], '--user-id'],
    [['--outcome', 'never-created', '--user-id', 'u-1', '--reason', 'x'], 'belongs to --outcome signed-up'],
    [['--outcome', 'never-created'], '--reason'],
    [['--outcome', 'gone', '--reason', 'x'], 'never-created'],
    [['--confirm', '--reason', 'x'], 'needs none'],
    [['--deny', '--user-id', 'u-1'], 'belongs to --outcome signed-up'],
    [['--confirm'], 'has no open proposal'],
  ])('with %j is wrong input, and changes nothing', async (args, fix) => {
    const { application, run } = await aLineWithACase();
    const { code, stderr } = await run([...RESOLVE, ...args]);
    expect([code, stderr, application.calls]).toEqual([2, expect.stringContaining(fix), []]);
  });
});

import { describe, expect, it } from 'vitest';
import { renderCase } from '../../client/cli/onboarding/render-case.ts';
import { renderCases } from '../../client/cli/onboarding/render-cases.ts';
import { aCase, aCaseDetail, aCaseDocument, aCaseManualOutcome, CASE, CASE_SECRETS } from '../server/case-records.ts';
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
    expect(stdout).toContain('document: passport, date_of_birth, new_field');
    expect((await run(['onboard', 'list', '--state', 'approved'])).stdout).toMatch(
      /^There are no such cases\.\n1 case in all/,
    );
    expect((await run(['onboard', 'list', '--account', 'asia'])).stdout).toBe('There are no such cases.\n');
    const json = await run(['onboard', 'list', '--json'], { role: 'administrator' });
    expect(JSON.parse(json.stdout)).toMatchObject({ cases: [{ caseId: CASE }], nextAfter: null });
    for (const secret of CASE_SECRETS) expect(json.stdout).not.toContain(secret);
    expect((await run(['onboard', 'list', '--state', 'gone'])).code).toBe(2);
  });

  it('says that there are more', () => {
    const counts = [
      { state: 'resubmission', count: 1_200 },
      { state: 'approved', count: 800 },
    ] as const;
    const page = { cases: [aCase()], nextAfter: CASE, counts: [...counts], holds: [] };
    expect(renderCases(page)).toContain('… and 1,999 older ones: --limit 2000 shows them all');
    expect(renderCases(page, 'approved')).toContain('… and 799 older ones: --limit 800 shows them all');
    expect(renderCases(page)).toContain('2,000 cases in all: 1,200 resubmission, 800 approved');
  });
});

describe('onboard show', () => {
  it('explains the state, and shows what is asked for beside the remarks, and what to do', async () => {
    const { run } = await aLineWithACase({ missing: ['document_passport'], stateReason: 'document_unverified' });
    const { stdout } = await run(['onboard', 'show', CASE]);
    expect(stdout).toContain('resubmission: The provider asks for documents or details again.');
    expect(stdout).toMatch(/Reason +document_unverified: .*the provider still shows another file/);
    expect(stdout).toContain(
      [
        'Asked for:',
        '  document: passport',
        '',
        'The provider wrote:',
        '  2026-01-06 09:00 UTC, documents_need_resubmission: the passport of Anna is blurred',
      ].join('\n'),
    );
    expect(stdout).toMatch(/first_name +Anna Probe/);
    expect(stdout).toMatch(/passport +anna passport\.pdf +application\/pdf +12,345 +1 +the provider has it/);
    expect(stdout).toMatch(/sign_up +1 +2026-01-05 09:00 UTC +2026-01-05 09:00 UTC +200 +took effect/);
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
    const rejected = aCaseManualOutcome({ state: 'rejected', closingReason: 'no proof', reason: null, userId: null });
    const text = renderCase(aCaseDetail({ state: 'unknown', manualOutcomes: [rejected, aCaseManualOutcome()] }));
    expect(text).toContain('UTC: (erased)');
    expect(text).toContain('rejected: no proof');
    expect(text).toContain('Proposed as signed up (user user-0001) by Oda');
    expect(text).toContain('needs a second person');
    expect(text).toContain(`payrun onboard resolve ${CASE} --confirm`);
    const confirmedBy = { userId: 'c', name: 'Cai' };
    const confirmed = renderCase(
      aCaseDetail({ state: 'unknown', manualOutcomes: [aCaseManualOutcome({ confirmedBy })] }),
    );
    expect(confirmed).toContain('confirmed by Cai, being carried out');
    expect(confirmed).not.toContain('--confirm');
  });

  it('says who rejected a proposal, who took theirs back, and that it is payrun that contradicts one', () => {
    const [closedAt, confirmedBy] = ['2026-01-07T09:00:00.000Z', { userId: 'c', name: 'Cai' }];
    const text = renderCase(
      aCaseDetail({
        state: 'unknown',
        manualOutcomes: [
          aCaseManualOutcome({ state: 'rejected', closedAt, closedBy: confirmedBy, closingReason: 'no proof' }),
          aCaseManualOutcome({ state: 'rejected', closedAt, closedBy: aCaseManualOutcome().proposedBy }),
          aCaseManualOutcome({ state: 'contradicted', closedAt, confirmedBy, closingReason: 'it has no such user' }),
          aCaseManualOutcome({ state: 'rejected', closedAt, confirmedBy, closedBy: confirmedBy }),
          aCaseManualOutcome({ state: 'confirmed', closedAt, confirmedBy }),
        ],
      }),
    );
    expect(text.split('\n').filter((line) => line.startsWith('  ') && line.includes(' on 2026-01-07'))).toEqual([
      '  rejected by Cai on 2026-01-07 09:00 UTC: no proof',
      '  taken back by Oda on 2026-01-07 09:00 UTC',
      '  confirmed by Cai, then contradicted by payrun on 2026-01-07 09:00 UTC: it has no such user',
      '  confirmed by Cai, then rejected by Cai on 2026-01-07 09:00 UTC',
      '  confirmed by Cai on 2026-01-07 09:00 UTC',
    ]);
  });

  it('shows an erased case without data, and one of which nothing was sent', () => {
    const text = renderCase(
      aCaseDetail({ state: 'erased', stateReason: 'approved', values: null, requests: [], userId: null }),
    );
    expect(text).toContain('The personal data is erased.');
    expect(text).toContain('Nothing was sent to the provider yet.');
    expect(text).toMatch(/State before +approved/);
    const ended = aCaseDetail({ requests: [], endedAt: '2026-01-07T09:00:00.000Z' });
    expect(renderCase(ended)).toContain('Nothing was sent to the provider.');
  });

  it('shows the text of a status that payrun does not know', () => {
    const text = renderCase(aCaseDetail({ providerStatus: 'unlisted', unlistedStatus: 'must call us' }));
    expect(text).toContain('unlisted ("must call us")');
  });

  it('cannot act on the terminal by what people and the provider wrote', () => {
    const remark = { providerStatus: EVIL, text: EVIL, seenAt: EVIL };
    const detail = aCaseDetail({
      ...{
        applicantRef: EVIL,
        providerStatus: EVIL,
        unlistedStatus: EVIL,
        sentences: { status: EVIL, toDo: EVIL },
        values: { [EVIL]: EVIL },
        missing: [EVIL],
      },
      ...{
        userId: EVIL,
        stateReason: EVIL,
        remarks: [remark],
        documents: [aCaseDocument({ slot: EVIL, fileName: EVIL })],
      },
      manualOutcomes: [aCaseManualOutcome({ reason: EVIL, closingReason: EVIL, userId: EVIL })],
    });
    for (const text of [renderCase(detail), renderCases({ cases: [detail], nextAfter: null, counts: [], holds: [] })]) {
      expect(text).toContain('\\u{1b}');
      expect(text).not.toMatch(/[\u001b\u202e]/);
    }
  });

  it('of a case that does not exist is wrong input', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['onboard', 'show', CASE]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`there is no case ${CASE}`)]);
    const unknown = await run(['onboard', 'show', 'anna']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no case anna: name its id')]);
  });
});

describe('onboard withdraw', () => {
  it('ends a case, and says what the provider keeps', async () => {
    const { application, run } = await aLineWithACase();
    const withdrawn = await run(['onboard', 'withdraw', CASE, '--reason', 'no longer a customer']);
    expect(withdrawn.stdout).toContain('The provider still has the user');
    expect(withdrawn.stderr).toMatch(/^Acting as /);
    expect(application.calls).toMatchObject([{ method: 'withdrawCase', asked: { reason: 'no longer a customer' } }]);
  });
});

describe('onboard resolve', () => {
  const RESOLVE = ['onboard', 'resolve', CASE];

  it('proposes an outcome, and says that nothing has changed yet', async () => {
    const { application, run } = await aLineWithACase({ state: 'unknown' });
    const signedUp = ['--outcome', 'signed_up', '--user-id', 'u-1', '--reason', 'their mail'];
    const { code, stdout } = await run([...RESOLVE, ...signedUp]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing has changed yet')]);
    await run([...RESOLVE, '--outcome', 'never_created', '--reason', 'they have none']);
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { caseId: CASE, outcome: 'signed_up', userId: 'u-1', reason: 'their mail' },
      { caseId: CASE, outcome: 'never_created', userId: null, reason: 'they have none' },
    ]);
  });

  it('confirms the proposal that is open, or the one that was named', async () => {
    const open = aCaseManualOutcome();
    const { application, run } = await aLineWithACase({ manualOutcomes: [open] });
    const { code, stdout } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect([code, stdout]).toEqual([0, `Confirmed. payrun now carries it out: payrun onboard show ${CASE}\n`]);
    const other = '018f2a00-0000-7000-8000-0000000000b9';
    await run([...RESOLVE, '--confirm', other, '--json'], { role: 'checker' });
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { caseId: CASE, manualOutcomeId: open.manualOutcomeId },
      { caseId: CASE, manualOutcomeId: other },
    ]);
  });

  it('says that a confirmed proposal is carried out, and still lets it be rejected', async () => {
    const confirmedBy = { userId: 'c', name: 'Cai' };
    const { application, run } = await aLineWithACase({ manualOutcomes: [aCaseManualOutcome({ confirmedBy })] });
    const { code, stderr } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Cai has confirmed it already, and payrun is carrying it'),
    ]);
    expect(application.calls).toEqual([]);
    expect((await run([...RESOLVE, '--reject'])).code).toBe(0);
  });

  it('rejects with a reason', async () => {
    const { application, run } = await aLineWithACase({ manualOutcomes: [aCaseManualOutcome()] });
    const { stdout } = await run([...RESOLVE, '--reject', '--reason', 'no proof']);
    expect(stdout).toBe('Rejected. The case of A-17 is resubmission.\n');
    expect(application.calls[0]?.asked).toMatchObject({ reason: 'no proof' });
  });

  it('exits with 3 when the provider contradicts what is confirmed', async () => {
    const { application, run } = await aLineWithACase({ manualOutcomes: [aCaseManualOutcome()] });
    const contradicted = aCaseManualOutcome({
      state: 'contradicted',
      closingReason: 'the provider shows another person',
    });
    application.confirmCaseManualOutcome = () => Promise.resolve(aCaseDetail({ manualOutcomes: [contradicted] }));
    const { code, stdout, stderr } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('not resolved: the provider shows another person');
  });

  it.each([
    [[], 'exactly one of'],
    [['--outcome', 'signed_up', '--confirm'], 'exactly one of'],
    [['--outcome', 'signed_up', '--reason', 'x'], '--user-id'],
    [['--outcome', 'never_created', '--user-id', 'u-1', '--reason', 'x'], 'belongs to --outcome signed_up'],
    [['--outcome', 'never_created'], '--reason'],
    [['--outcome', 'gone', '--reason', 'x'], 'never_created'],
    [['--confirm', '--reason', 'x'], 'needs none'],
    [['--reject', '--user-id', 'u-1'], 'belongs to --outcome signed_up'],
    [['--confirm'], 'has no open proposal'],
  ])('with %j is wrong input, and changes nothing', async (args, fix) => {
    const { application, run } = await aLineWithACase();
    const { code, stderr } = await run([...RESOLVE, ...args]);
    expect([code, stderr, application.calls]).toEqual([2, expect.stringContaining(fix), []]);
  });
});

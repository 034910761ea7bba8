import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { OnboardingHold } from '../../api/onboarding/onboarding-hold.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { expectConfirmed } from '../../client/cli/confirm.ts';
import type { CommandIo } from '../../client/cli/command-io.ts';
import { followCases } from '../../client/cli/onboarding/follow-cases.ts';
import { renderCase } from '../../client/cli/onboarding/render-case.ts';
import { anAuditEntry } from '../server/application-records.ts';
import { aCaseDetail, CASE, OTHER_CASE } from '../server/case-records.ts';
import { aCommandLine } from './cli-harness.ts';
import { aClient } from './sdk-harness.ts';

const UNANSWERED: OnboardingHold = {
  ...{ account: 'default', kind: 'unanswered' },
  ...{ since: '2026-01-06T09:00:00.000Z', until: '2026-01-06T09:05:00.000Z' },
};
const STOPPED: OnboardingHold = { account: 'default', kind: 'stopped', since: '2026-01-06T09:00:00.000Z', until: null };
const STOPPED_LINE = 'Nothing is sent on default since 2026-01-06 09:00 UTC: a stop is in force.';
const UNANSWERED_LINE =
  'Nobody is signed up on default since 2026-01-06 09:00 UTC, until 2026-01-06 09:05 UTC: the last sign-up got no answer. ' +
  'Sign-ups go on by themselves. Do not submit anybody again.';

async function aLineWithACase(fields: Parameters<typeof aCaseDetail>[0] = {}) {
  const line = await aCommandLine({ 'a.yaml': 'email: x' });
  line.application.cases.set(CASE, aCaseDetail(fields));
  return line;
}

describe('what holds onboarding', () => {
  it('is shown by list, beside the cases', async () => {
    const { application, run } = await aLineWithACase();
    application.holds = [STOPPED, UNANSWERED, { ...STOPPED, kind: 'paused' }];
    const { stderr } = await run(['onboard', 'list']);
    expect(stderr).toContain(STOPPED_LINE);
    expect(stderr).toContain(UNANSWERED_LINE);
    // Pauses are shown in their own words.
    expect(stderr).not.toContain('were all refused');
  });

  it('is shown by show', () => {
    expect(renderCase(aCaseDetail({ state: 'draft', holds: [UNANSWERED] }))).toContain(UNANSWERED_LINE);
  });

  it('is shown by submit, so that nobody expects the last screening in seconds', async () => {
    const { application, run } = await aLineWithACase();
    if (application.applicantOutcome.kind === 'accepted') application.applicantOutcome.holds = [STOPPED];
    const { stdout } = await run(['onboard', 'submit', 'a.yaml']);
    expect(stdout).toContain('in about 3 s after the hold below has ended');
    expect(stdout).toContain(STOPPED_LINE);
  });

  it('is shown by submit without pauses, of which it warns', async () => {
    const { application, run } = await aLineWithACase();
    if (application.applicantOutcome.kind === 'accepted') {
      application.applicantOutcome.holds = [
        { ...STOPPED, kind: 'paused' },
        { ...STOPPED, kind: 'not_authenticated' },
      ];
    }
    const { stdout } = await run(['onboard', 'submit', 'a.yaml']);
    expect(stdout).toContain("the provider does not accept payrun's credentials");
    expect(stdout).not.toContain('were all refused');
  });

  it('is shown while cases are followed, although their state stays', async () => {
    const { application, client } = await aClient('onboarder');
    const coming = [{ holds: [UNANSWERED] }, { holds: [UNANSWERED] }, { holds: [] }, { state: 'approved' as const }];
    const next = () => {
      application.cases.set(CASE, aCaseDetail({ state: 'draft', ...coming.shift() }));
      return Promise.resolve();
    };
    await next();
    const out = new PassThrough();
    await followCases(client, [{ caseId: CASE }], out, { wait: next });
    out.end();
    expect(await text(out)).toBe(
      [
        'A-17: draft (waits until 2026-01-06 09:05 UTC: the last sign-up got no answer)',
        'A-17: draft',
        'A-17: approved',
        '',
      ].join('\n'),
    );
  });
});

describe('a case', () => {
  it.each([
    ['show', []],
    ['withdraw', []],
    ['history', []],
    ['retry', []],
    ['resolve', ['--outcome', 'never_created', '--reason', 'none']],
    ['export', ['--to', 'anna']],
    ['supply', ['a.yaml']],
  ])('is named by its applicant_ref in %s', async (command, rest) => {
    const { run } = await aLineWithACase({ documents: [] });
    const { code, stderr } = await run(['onboard', command, 'A-17', ...rest]);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  });

  it('of a reference that two accounts have is named by its id', async () => {
    const { application, run } = await aLineWithACase();
    application.cases.set(OTHER_CASE, aCaseDetail({ caseId: OTHER_CASE, account: 'asia' }));
    const { code, stderr } = await run(['onboard', 'show', 'A-17']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${CASE} on default, ${OTHER_CASE} on asia`)]);
  });

  it('shows who withdrew it, when and why, and that it waits for nobody', () => {
    const withdrawn = { by: { userId: 'u', name: 'Oda' }, at: '2026-01-07T09:00:00.000Z', reason: 'left us' };
    const shown = renderCase(aCaseDetail({ state: 'withdrawn', withdrawn, waitingSince: null }));
    expect(shown).toMatch(/Withdrawn +by Oda on 2026-01-07 09:00 UTC: left us/);
    expect(shown).not.toContain('Waiting');
  });

  it('shows for whom it waits, and the name that a file has for its user', () => {
    const shown = renderCase(aCaseDetail());
    expect(shown).toMatch(/Waiting +for an onboarder, since/);
    expect(shown).toMatch(/provider_user_id +user-0001\n/);
    expect(renderCase(aCaseDetail({ state: 'screening' }))).toMatch(/Waiting +for the provider, since/);
  });

  it('shows every file that was sent, also one that replaced another, and what was found by looking it up', () => {
    const uploads = [
      { slot: 'passport', revision: 1, uploadedAt: '2026-01-05T09:01:00.000Z', verifiedAt: '2026-01-05T09:02:00.000Z' },
      { slot: 'passport', revision: 2, uploadedAt: '2026-01-07T09:01:00.000Z', verifiedAt: null },
    ];
    const [request] = aCaseDetail().requests;
    const screen = { ...request, operation: 'screen', httpStatus: null } as NonNullable<typeof request>;
    const shown = renderCase(aCaseDetail({ uploads, requests: request === undefined ? [] : [request, screen] }));
    expect(shown).toMatch(/upload passport +1 +2026-01-05 09:01 UTC +the provider has it/);
    expect(shown).toMatch(/upload passport +2 +2026-01-07 09:01 UTC +uploaded/);
    expect(shown).toMatch(/screen .* took effect, as the provider shows/);
  });

  it('shows commands with its own id, and states and fields as they are typed', () => {
    const shown = renderCase(
      aCaseDetail({
        state: 'signing_up',
        stateReason: 'document_refused',
        sentences: { status: 'The applicant was accepted.', toDo: `Do payrun onboard supply ${CASE} FILE.` },
      }),
    );
    expect(shown).toContain(`payrun onboard supply ${CASE} FILE`);
    expect(shown).not.toMatch(/\bCASE\b/);
    expect(shown).toMatch(/State +signing_up:/);
  });

  it('has a history that an onboarder may read, with its reminders', async () => {
    const { application, run } = await aLineWithACase();
    application.caseEntries = [anAuditEntry({ entryId: 1, runId: null, kind: 'case_reminded' })];
    expect((await run(['onboard', 'history', CASE])).stdout).toContain('reminded');
    const { stdout } = await run(['onboard', 'history', CASE, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ caseId: CASE, entries: [{ kind: 'case_reminded' }] });
  });
});

describe('the list', () => {
  it('has as many cases as are wanted, over several pages', async () => {
    const { application, run } = await aCommandLine();
    for (let index = 0; index < 450; index += 1) {
      const caseId = `018f2a00-0000-5000-8000-${String(index).padStart(12, '0')}`;
      application.cases.set(caseId, aCaseDetail({ caseId, applicantRef: `A-${index}` }));
    }
    const { stdout } = await run(['onboard', 'list', '--limit', '420', '--json']);
    const { cases } = JSON.parse(stdout) as { cases: { caseId: string }[] };
    expect(new Set(cases.map(({ caseId }) => caseId)).size).toBe(420);
    expect((await run(['onboard', 'list', '--limit', '420'])).stdout).toContain('450 cases in all: 450 resubmission');
    expect((await run(['onboard', 'list', '--ref', 'A-7'])).stdout).toMatch(/A-7 /);
  });
});

describe('onboard watch', () => {
  it('follows the cases that are named, or all that are under way', async () => {
    const { application, run } = await aLineWithACase({ state: 'approved' });
    expect(await run(['onboard', 'watch', 'A-17'])).toMatchObject({ code: 0, stdout: 'A-17: approved\n' });
    expect(await run(['onboard', 'watch'])).toMatchObject({ code: 0, stdout: 'Nothing is under way.\n' });
    application.cases.set(OTHER_CASE, aCaseDetail({ caseId: OTHER_CASE, applicantRef: 'B-2', state: 'screening' }));
    // Decided between the list and the first look.
    application.findCase = (_user, caseId) => Promise.resolve(aCaseDetail({ caseId, state: 'rejected' }));
    const { code, stdout } = await run(['onboard', 'watch', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { cases: [{ caseId: OTHER_CASE, state: 'rejected' }] }]);
  });

  it('is named before a submission is followed, for who interrupts it', async () => {
    const { run } = await aLineWithACase({ state: 'approved' });
    expect((await run(['onboard', 'submit', 'a.yaml', '--wait'])).stderr).toContain('payrun onboard watch');
  });
});

describe('a submission of known applicants', () => {
  it.each([
    ['that differs', 'resubmission', true, 'other values or documents than the file, which were not taken'],
    ['that was withdrawn', 'withdrawn', false, 'nothing is begun for it'],
    ['that was erased', 'erased', null, 'nothing is begun for it'],
  ] as const)('exits with 3 for one %s', async (_, state, differs, said) => {
    const { application, run } = await aLineWithACase();
    application.applicantOutcome = {
      ...{ kind: 'accepted', newCount: 0, requestCount: 0, secondsToFinish: 0, holds: [], warnings: [] },
      cases: [{ caseId: CASE, applicantRef: 'A-17', isNew: false, state, differs }],
    };
    const { code, stdout, stderr } = await run(['onboard', 'submit', 'a.yaml']);
    expect([code, stderr]).toEqual([3, expect.stringContaining(said)]);
    expect(stdout).toMatch(new RegExp(`A-17 +already known.* ${state}`));
  });

  it.each(['approved', 'screening'] as const)('is as asked for one that is %s and the same', async (state) => {
    const { application, run } = await aLineWithACase();
    application.applicantOutcome = {
      ...{ kind: 'accepted', newCount: 0, requestCount: 0, secondsToFinish: 0, holds: [], warnings: [] },
      cases: [{ caseId: CASE, applicantRef: 'A-17', isNew: false, state, differs: false }],
    };
    expect((await run(['onboard', 'submit', 'a.yaml'])).code).toBe(0);
  });
});

describe('onboard forget', () => {
  it.each(['forget', 'erase'])('shows whose data %s erases, and proposes it with --yes', async (command) => {
    const { application, run } = await aLineWithACase();
    expect((await run(['onboard', command, CASE, '--yes'])).code).toBe(4);
    const { code, stdout, stderr } = await run(['onboard', command, 'A-17', '--yes'], { role: 'administrator' });
    expect([code, stdout]).toEqual([0, 'Erased the personal data of A-17. The provider keeps what it has.\n']);
    expect(stderr).toContain(
      `Applicant A-17 (individual) on default, resubmission since 2026-01-06 09:00 UTC: case ${CASE}`,
    );
    expect(application.calls).toMatchObject([{ method: 'eraseCase', login: 'administrator', asked: { caseId: CASE } }]);
  });

  it('without a terminal to ask at, and without --yes, is refused and erases nothing', async () => {
    const { application, run } = await aLineWithACase();
    const { code, stderr } = await run(['onboard', 'forget', CASE], { role: 'administrator', stdin: 'yes\n' });
    expect([code, stderr, application.calls]).toEqual([2, expect.stringContaining('confirm it with --yes'), []]);
  });

  it('is refused with the reason before the retention date', async () => {
    const { application, run } = await aLineWithACase();
    application.failures.set('eraseCase', new ApplicationError('conflict', 'to be kept until 2031-01-06'));
    const { code, stderr } = await run(['onboard', 'forget', CASE, '--yes'], { role: 'administrator' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('to be kept until 2031-01-06')]);
  });

  it('is shown afterwards: by whom, and when', () => {
    const erased = { by: { userId: 'u', name: 'Ada' }, at: '2026-01-08T09:00:00.000Z' };
    expect(renderCase(aCaseDetail({ state: 'erased', values: null, erased }))).toMatch(
      /Erased +by Ada on 2026-01-08 09:00 UTC/,
    );
  });

  it.each([
    ['yes', true],
    ['y', false],
    ['', false],
  ])('asked at a terminal, takes "%s" as an answer: %j', async (answer, isConfirmed) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const io = { stdin, stderr: new PassThrough() } as unknown as CommandIo;
    const asked = expectConfirmed(io, 'Erase A-17?').then(
      () => true,
      () => false,
    );
    stdin.end(`${answer}\n`);
    expect(await asked).toBe(isConfirmed);
  });
});

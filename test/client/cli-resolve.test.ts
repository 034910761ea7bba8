import { describe, expect, it } from 'vitest';
import { renderProposal } from '../../client/cli/runs/render-proposal.ts';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aManualOutcome, aRowDetail } from '../server/a-row-detail.ts';
import { aRun } from '../server/application-records.ts';
import { aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const RESOLVE = ['resolve', RUN, '--row', 'INV-1'];
const EVIL = 'a\u001b[2J\u202eb';

async function aLineWithAnUnknownRow(fields: Parameters<typeof aRowDetail>[0] = {}) {
  const line = await aCommandLine();
  line.application.runs.set(RUN, aRun({ state: 'running' }));
  line.application.rowDetails.set('INV-1', aRowDetail(fields));
  return line;
}

describe('resolve', () => {
  it('proposes as a maker, and says that nothing has changed yet', async () => {
    const { application, run } = await aLineWithAnUnknownRow();
    const given = ['--outcome', 'paid', '--reason', 'on the statement', '--provider-payment-id', 'sp-1'];
    const { code, stdout } = await run([...RESOLVE, ...given], { role: 'maker' });
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing has changed yet');
    const asked = { outcome: 'paid', reason: 'on the statement', providerPaymentId: 'sp-1' };
    expect(application.resolved).toMatchObject([{ user: { userId: 'user-maker' }, rowRef: 'INV-1', asked }]);
  });

  it('confirms the proposal that is open, or the one that was named', async () => {
    const open = aManualOutcome();
    const { application, run } = await aLineWithAnUnknownRow({ manualOutcomes: [open] });
    const { code, stdout } = await run([...RESOLVE, '--confirm', '--json'], { role: 'checker' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'paid', manualOutcomes: [{ state: 'confirmed' }] });
    const other = '018f2a00-0000-7000-8000-0000000000b9';
    await run([...RESOLVE, '--confirm', other], { role: 'checker' });
    expect(application.resolved.map(({ asked }) => asked)).toEqual([
      { manualOutcomeId: open.manualOutcomeId },
      { manualOutcomeId: other },
    ]);
  });

  it('rejects with a reason', async () => {
    const open = aManualOutcome();
    const { application, run } = await aLineWithAnUnknownRow({ manualOutcomes: [open] });
    const { stdout } = await run([...RESOLVE, '--reject', '--reason', 'no proof'], { role: 'checker' });
    expect(stdout).toBe('Rejected. The row INV-1 is unknown.\n');
    expect(application.resolved[0]?.asked).toEqual({ manualOutcomeId: open.manualOutcomeId, reason: 'no proof' });
  });

  it.each([
    [[], 'exactly one of'],
    [['--outcome', 'paid', '--confirm'], 'exactly one of'],
    [['--outcome', 'paid'], '--reason'],
    [['--outcome', 'gone', '--reason', 'x'], 'never_created'],
    [['--confirm', '--reason', 'x'], 'needs none'],
    [['--reject', '--provider-payment-id', 'sp-1'], 'give it with --outcome'],
    [['--confirm'], 'has no open proposal'],
  ])('with %j is wrong input, and sends nothing', async (args, fix) => {
    const { application, run } = await aLineWithAnUnknownRow();
    const { code, stderr } = await run([...RESOLVE, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(fix);
    expect(application.resolved).toEqual([]);
  });

  it.each([
    ['by a viewer', 4, { role: 'viewer' as const }, null],
    ['by the proposer', 4, { role: 'checker' as const }, new ApplicationError('not_allowed', 'ask a second person')],
    [
      'while another is being confirmed',
      2,
      { role: 'checker' as const },
      new ApplicationError('conflict', 'somebody is confirming it'),
    ],
    [
      'without the provider',
      5,
      { role: 'checker' as const },
      new ApplicationError('unavailable', 'could not be asked'),
    ],
  ])('%s is refused with exit code %i', async (_how, exitCode, options, failure) => {
    const { application, run } = await aLineWithAnUnknownRow({ manualOutcomes: [aManualOutcome()] });
    if (failure !== null) application.failures.set('confirmManualOutcome', failure);
    const { code, stderr } = await run([...RESOLVE, '--confirm'], options);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(failure?.message ?? 'viewer');
  });
});

describe('resolve --confirm', () => {
  async function aClosingConfirmation(state: 'contradicted' | 'voided') {
    const open = aManualOutcome();
    const line = await aLineWithAnUnknownRow({ manualOutcomes: [open] });
    line.application.confirmManualOutcome = () => {
      const manualOutcomes = [{ ...open, state, closingReason: 'the provider shows failed' }];
      line.application.rowDetails.set('INV-1', aRowDetail({ manualOutcomes }));
      return Promise.reject(new ApplicationError('conflict', 'not resolved: the provider shows failed'));
    };
    return line;
  }

  it.each(['contradicted', 'voided'] as const)('exits with 3 if it closes the proposal as %s', async (state) => {
    const { run } = await aClosingConfirmation(state);
    const { code, stdout, stderr } = await run([...RESOLVE, '--confirm'], { role: 'checker' });
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('not resolved: the provider shows failed');
  });

  it('prints the row as its document when it closes the proposal', async () => {
    const { run } = await aClosingConfirmation('contradicted');
    const { code, stdout } = await run([...RESOLVE, '--confirm', '--json'], { role: 'checker' });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'unknown', manualOutcomes: [{ state: 'contradicted' }] });
  });

  it('exits with 2 for a proposal that was closed before', async () => {
    const closed = aManualOutcome({ state: 'contradicted' });
    const { application, run } = await aLineWithAnUnknownRow({ manualOutcomes: [closed] });
    application.failures.set('confirmManualOutcome', new ApplicationError('conflict', 'the proposal is not open'));
    expect((await run([...RESOLVE, '--confirm', closed.manualOutcomeId], { role: 'checker' })).code).toBe(2);
  });
});

describe('an unknown row', () => {
  it('is printed first by show and last by watch, with what to do', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ state: 'partially_completed', rows: { paid: 1, unknown: 2 } }));
    const shown = await run(['show', RUN]);
    expect(shown.stdout).toMatch(/^ATTENTION: 2 rows UNKNOWN/);
    const watched = await run(['watch', RUN]);
    expect(watched.code).toBe(3);
    expect(watched.stdout).toContain(`payrun resolve ${RUN} --row REF --outcome`);
    expect(renderProposal(aRun())).not.toContain('ATTENTION');
  });

  it('is shown with its evidence and the proposals', async () => {
    const manualOutcomes = [
      aManualOutcome({
        state: 'contradicted',
        closedBy: { userId: 'c', name: 'Cai' },
        closingReason: 'it shows failed',
      }),
      aManualOutcome(),
    ];
    const { run } = await aLineWithAnUnknownRow({ manualOutcomes });
    const { stdout } = await run(['show', RUN, '--row', 'INV-1']);
    expect(stdout).toMatch(/Reference +payment-1-1/);
    expect(stdout).toMatch(/create +1 +2026-01-05 09:01 UTC +not seen +unknown/);
    expect(stdout).toMatch(/by reference +only others +12 /);
    expect(stdout).toContain('contradicted by Cai: it shows failed');
    expect(stdout).toContain('needs a second person');
    expect(stdout).toContain(`payrun resolve ${RUN} --row INV-1 --confirm`);
  });

  it('shows an erased reason of a proposal as erased', () => {
    const text = renderRowDetail(aRun(), aRowDetail({ manualOutcomes: [aManualOutcome({ reason: null })] }));
    expect(text).toContain('UTC: (erased)');
    expect(text).not.toContain('null');
  });

  it('cannot act on the terminal by what people wrote or the provider said', () => {
    const manualOutcomes = [
      aManualOutcome({ reason: EVIL, closingReason: EVIL, proposedBy: { userId: 'u', name: EVIL } }),
    ];
    const text = renderRowDetail(
      aRun({ runId: EVIL }),
      aRowDetail({ rowRef: EVIL, providerStatus: EVIL, manualOutcomes }),
    );
    expect(text).toContain('\\u{1b}');
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });

  it('that does not exist is reported', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['show', RUN, '--row', 'INV-9']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such row in this run');
  });
});

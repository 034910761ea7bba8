import { describe, expect, it } from 'vitest';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import type { RunFinding, RunReview } from '../../domain/runs/run-finding.ts';
import { aRowDetail } from '../server/a-row-detail.ts';
import { aRow, aRun, aStop } from '../server/application-records.ts';
import {
  aChangedAccount,
  aFreshAccount,
  aNewBeneficiary,
  aRunToDecide,
  foundRows,
  HASH,
  RUN,
} from '../application/a-review.ts';
import { aCommandLine } from './cli-harness.ts';

describe('show', () => {
  it('prints the findings below the totals and above the rows', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = [aRow({ marks: ['account_changed'] })];
    const { stdout, code } = await run(['show', RUN, '--rows'], { role: 'checker' });
    expect(code).toBe(0);
    const places = ['From', 'Bank account changed: Winkler AG', 'Line  Row', '! account changed'].map((text) =>
      stdout.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('has the findings in its document too, with any number of rows', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = Array.from({ length: 1_200 }, (_, index) => aRow({ line: index + 2 }));
    const { stdout } = await run(['show', RUN, '--rows', '--json'], { role: 'treasurer' });
    const document = JSON.parse(stdout) as { review: RunReview; payments: unknown[] };
    expect(document.review).toEqual(application.review);
    expect(document.payments).toEqual(application.rows);
  });

  it('ends with how to decide, for a user who may decide', async () => {
    const { run } = await aRunToDecide(aChangedAccount);
    expect((await run(['show', RUN], { role: 'checker' })).stdout).toContain(
      `To approve what you see here: payrun approve ${RUN} --content-hash 01234567\n`,
    );
    for (const role of ['maker', 'viewer', 'administrator'] as const) {
      expect((await run(['show', RUN], { role })).stdout).not.toContain('payrun approve');
    }
  });

  it('shows the decision and its comment', async () => {
    const { application, run } = await aRunToDecide();
    const decided = { decidedBy: { userId: 'user-checker', name: 'Chris' }, decidedAt: '2026-01-05T09:00:00.000Z' };
    application.runs.set(RUN, aRun({ state: 'rejected', ...decided, decisionComment: 'not agreed' }));
    expect((await run(['show', RUN])).stdout).toMatch(/Rejected by Chris on .*: not agreed\n/);
  });

  it.each(['administrator', 'onboarder'] as const)('tells an %s the totals, and who sees the rest', async (role) => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = [aRow()];
    const { stdout, code } = await run(['show', RUN, '--rows'], { role });
    expect(code).toBe(0);
    expect(stdout).toContain('45,000,000');
    expect(stdout).toContain(
      'Beneficiaries, bank details, and a list of what stands out, are shown to makers, checkers, treasurers and viewers only.',
    );
    expect(stdout).not.toContain('4567890123');
    expect(stdout).not.toContain('Winkler');
    expect(application.refusedAccess).toEqual([]);
    const document = JSON.parse((await run(['show', RUN, '--json'], { role })).stdout) as object;
    expect(document).toMatchObject({ runId: RUN, review: null });
  });

  it('of a run that is still being checked shows no findings', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ state: 'validating', proposal: null }));
    expect((await run(['show', RUN])).stdout).toContain('There is no proposal yet.');
    expect(JSON.parse((await run(['show', RUN, '--json'])).stdout)).toMatchObject({ review: null });
  });

  it('of one row shows its whole instruction', () => {
    const instruction = {
      amount: '120000',
      purposeDescription: 'spare parts',
      payOn: null,
      beneficiary: {
        kind: 'details',
        details: { companyName: 'Budi Ltd', bankAccount: { iban: 'LT121000011101018901' } },
      },
      supportingFiles: ['a.pdf', 'b.pdf'],
    } as never;
    const text = renderRowDetail(RUN, aRowDetail({ instruction, marks: ['unusual_amount'] }));
    expect(text).toContain('! unusual amount');
    expect(text).toMatch(/bank account: iban +LT121000011101018901/);
    expect(text).toMatch(/company name +Budi Ltd/);
    expect(text).toMatch(/purpose description +spare parts/);
    expect(text).toMatch(/supporting files +a\.pdf, b\.pdf/);
    const byId = aRowDetail({
      instruction: { beneficiary: { kind: 'existing', beneficiaryId: 'an-id' } },
      beneficiaryId: 'an-id',
    });
    expect(renderRowDetail(RUN, byId)).toMatch(/the provider shows: account number +4567890123/);
    expect(renderRowDetail(RUN, aRowDetail({ isMasked: true }))).toContain('shown to makers, checkers');
  });
});

describe('approve', () => {
  it('shows on stderr what is approved, and approves exactly that', async () => {
    const { application, run } = await aRunToDecide(aNewBeneficiary, {
      kind: 'pays_later',
      id: 'pays_later:2',
      day: '2026-12-01',
      rowCount: 2,
    });
    const { code, stderr, stdout } = await run(['approve', RUN, '--comment', 'fine']);
    expect(code).toBe(0);
    for (const text of [
      'payroll.csv',
      'account default',
      '3 payments',
      'IDR 45,000,000 (3 rows)',
      'SGD 3,750.25 (3 rows)',
      'New beneficiary: Fresh Ltd',
      '2 rows on 2026-12-01',
      'Content 01234567',
    ]) {
      expect(stderr).toContain(text);
    }
    expect(stdout).toContain('Approved. The run is running.');
    expect(application.decisions.map(({ decision }) => decision)).toEqual([{ comment: 'fine', contentHash: HASH }]);
  });

  it.each<RunFinding>([
    aChangedAccount,
    { kind: 'file_submitted_before', runs: [], runCount: 1 },
    {
      kind: 'account_has_other_names',
      account: aFreshAccount,
      names: [],
      nameCount: 0,
      paidBefore: null,
      ...foundRows,
    },
    { kind: 'unusual_amount', name: 'Winkler AG', largestBefore: '1.00', ...foundRows },
    { kind: 'details_unknown', beneficiaryId: 'an-id', reason: 'not_read', ...foundRows },
  ])('approves nothing unseen in which there is a finding of the kind $kind', async (finding) => {
    const { application, run } = await aRunToDecide(aNewBeneficiary, finding);
    const { code, stderr } = await run(['approve', RUN]);
    expect(code).toBe(2);
    expect(stderr).toContain(`payrun show ${RUN}`);
    expect(stderr).toContain(`payrun approve ${RUN} --content-hash 01234567`);
    expect(application.decisions).toEqual([]);
    const approved = await run(['approve', RUN, '--content-hash', '01234567']);
    expect(approved.code).toBe(0);
    expect(approved.stderr).toContain('ATTENTION: ');
    expect(application.decisions).toMatchObject([{ decision: { contentHash: HASH }, approved: true }]);
  });

  it.each(['01234567', '0123456789ABCDEF', HASH])('takes %s for the content that it begins', async (given) => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    expect((await run(['approve', RUN, '--content-hash', given])).code).toBe(0);
    expect((await run(['reject', RUN, '--comment', 'no', '--content-hash', given])).code).toBe(0);
    expect(application.decisions.map(({ decision }) => decision.contentHash)).toEqual([HASH, HASH]);
  });

  it.each([
    ['another content', 'f'.repeat(64), 'the run has changed since'],
    ['the beginning of another content', '76543210', 'the run has changed since'],
    ['too few characters', '0123456', 'not a content hash'],
    ['what is no hash', 'last week', 'not a content hash'],
    ['nothing', '', 'not a content hash'],
    ['too many characters', `${HASH}0`, 'not a content hash'],
  ])('is refused for %s, and says why', async (_what, given, message) => {
    const { application, run } = await aRunToDecide();
    for (const verb of [['approve'], ['reject', '--comment', 'no']]) {
      const { code, stderr } = await run([...verb, RUN, '--content-hash', given]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(application.decisions).toEqual([]);
  });

  it('is refused if the content has changed since the proposal', async () => {
    const { application, run } = await aRunToDecide();
    application.review = { ...application.review, contentHash: 'f'.repeat(64) };
    const { code, stderr } = await run(['approve', RUN]);
    expect(code).toBe(2);
    expect(stderr).toContain('the run has changed since');
    expect(application.decisions).toEqual([]);
  });

  it('of a stopped run says that nothing is paid yet', async () => {
    const { application, run } = await aRunToDecide();
    application.runs.set(RUN, { ...application.runs.get(RUN)!, stops: [aStop({ scope: 'all', runId: null })] });
    const { stdout } = await run(['approve', RUN]);
    expect(stdout).toContain('Nothing is paid yet. Stopped (everything)');
  });

  it('waits for the check of the run', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ state: 'validating', proposal: null }));
    const { code, stderr } = await run(['approve', RUN]);
    expect(code).toBe(2);
    expect(stderr).toContain('still being checked');
  });

  it('names the step that follows, and has the step in its document', async () => {
    const { application, run } = await aRunToDecide();
    application.steps = 2;
    expect((await run(['approve', RUN])).stdout).toBe(
      'Approved, step 1 of 2: another person approves the next step.\n',
    );
    const { stdout } = await run(['approve', RUN, '--content-hash', HASH, '--json']);
    expect(JSON.parse(stdout)).toEqual({ ...application.runs.get(RUN), step: 1, steps: 2 });
  });

  it('shows an administrator nothing and approves nothing', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    const { code, stderr } = await run(['approve', RUN], { role: 'administrator' });
    expect(code).toBe(4);
    expect(stderr).not.toContain('Winkler');
    expect(application.decisions).toEqual([]);
  });
});

describe('reject', () => {
  it('applies to the current content if no hash is given', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    const { code, stdout } = await run(['reject', RUN, '--comment', 'wrong account']);
    expect(code).toBe(0);
    expect(stdout).toBe('Rejected. The run is rejected.\n');
    expect(application.decisions).toMatchObject([
      { decision: { comment: 'wrong account', contentHash: HASH }, approved: false },
    ]);
  });
});

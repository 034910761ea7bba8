import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../client/cli/printable.ts';
import { renderProblem } from '../../client/cli/runs/render-problems.ts';
import { progressLine, renderProgress } from '../../client/cli/runs/render-progress.ts';
import { renderProposal } from '../../client/cli/runs/render-proposal.ts';
import { renderRows } from '../../client/cli/runs/render-rows.ts';
import { renderRuns } from '../../client/cli/runs/run-commands.ts';
import { displayWidth, textTable } from '../../client/cli/text-table.ts';
import { renderTokens } from '../../client/cli/users/token-commands.ts';
import { duration, money } from '../../client/cli/wording.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { RunSummary } from '../../client/sdk/index.ts';
import { aProblem, aRow, aRun } from '../server/application-records.ts';
import { aCommandLine } from './cli-harness.ts';

const EVIL = 'a\u001b]0;title\u0007\u001b[2J\u202eb\r\n\u009bc';
/** Control characters other than line ends. */
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u;

describe('what comes from data', () => {
  it('cannot act on the terminal, wherever it is shown', () => {
    const run = aRun({ fileName: EVIL, stateReason: EVIL, submittedBy: { userId: 'u', name: EVIL } });
    run.proposal?.warnings.push(EVIL);
    run.profile = { name: EVIL, hash: 'abc', wasKnown: true };
    const token = { tokenId: EVIL, userId: EVIL, login: EVIL, name: EVIL, label: EVIL };
    const times = { createdAt: EVIL, expiresAt: null, revokedAt: null, lastUsedAt: null };
    const pictures = [
      renderProposal(run),
      renderProgress(run, { width: 200, color: false }),
      renderRows([aRow({ beneficiary: EVIL, rowRef: EVIL, errorMessage: EVIL, sellAmount: EVIL })]),
      renderProblem(aProblem({ value: EVIL, column: EVIL })),
      renderRuns([run]),
      renderTokens([{ ...token, ...times, scopes: ['read'] }]),
    ];
    for (const picture of pictures) {
      expect(picture).toContain('\\u{1b}');
      expect(picture).not.toMatch(ACTING);
    }
  });

  it('stays readable', () => {
    expect(printable('Müller 株式会社 é')).toBe('Müller 株式会社 é');
  });
});

describe('a proposal', () => {
  it('says which profile read the file, and whether it was known', () => {
    const profile = { name: 'Lieferanten', hash: '0123456789ab', wasKnown: false };
    expect(renderProposal(aRun({ profile }))).toContain('Read by the profile "Lieferanten" (0123456789ab), new');
    expect(renderProposal(aRun({ profile: { ...profile, wasKnown: true } }))).toContain('(0123456789ab), known before');
    expect(renderProposal(aRun())).not.toContain('profile');
  });

  it('shows what is paid, needed, available and short, and how long it takes', () => {
    const run = aRun();
    run.proposal!.funds = [
      {
        currency: 'SGD',
        needed: '3750.25',
        balance: '3000.00',
        committed: '100.10',
        dueLater: '0',
        fees: '0',
        unquotedRows: 0,
      },
    ];
    const text = renderProposal(run);
    expect(text).toContain('Mei');
    expect(text).toMatch(/IDR to be received +45,000,000 +3/);
    expect(text).toMatch(/SGD +3,750\.25 +3,000\.00 +100\.10 +0 +850\.35/);
    expect(text).toContain('At most 4,500.30 SGD leave the balance, with fees of at most 20 % of the amount sold.');
    expect(text).toContain('One SGD buys at least 11640 IDR; the reference rate is 12000.');
    expect(text).toContain('13 requests');
    expect(text).toContain('about 3 s');
    expect(text).toContain('Warning: first payment to 2 new bank accounts');
    expect(text).toContain('a'.repeat(64));
    expect(text).toContain('Rows: ready 3');
  });

  it('shows when rows are due, where banks are closed then, and how the time to send is computed', () => {
    const run = aRun();
    run.proposal!.roundTripMs = 320;
    run.proposal!.due = {
      dates: [
        { date: '2026-01-05', weekday: 'Monday', isAtOnce: true, rows: 1, closed: [], notKnown: ['XOF'] },
        {
          ...{ date: '2026-01-10', weekday: 'Saturday', isAtOnce: false, rows: 1_200, notKnown: [] },
          closed: [{ currency: 'SGD', rows: 1_200 }],
        },
      ],
      ...{ laterDates: 2, laterRows: 63, lastDate: '2027-01-20' },
    };
    const text = renderProposal(run);
    expect(text).toMatch(/2026-01-05 +Monday, as soon as it is approved +1 +not known: XOF/);
    expect(text).toMatch(/2026-01-10 +Saturday +1,200 +closed: SGD/);
    expect(text).toContain('and 2 later dates with 63 rows');
    expect(text).toContain('Cut-offs are not known yet');
    expect(text).toContain(
      'about 3 s, at the limit; the provider lately answered within 320 ms, without the days that rows wait for',
    );
    run.proposal!.roundTripMs = null;
    expect(renderProposal(run)).toContain('no answer of the provider was measured yet');
  });

  it('of an ended run shows what was proposed, and no longer what it needs', () => {
    const text = renderProposal(aRun({ state: 'completed', finishedAt: '2026-11-22T10:00:00.000Z' }));
    expect(text).toMatch(/^Proposed +Amount/m);
    expect(text).not.toMatch(/To be paid|Due|Needed|sending takes/);
    expect(text).toContain('3 payments of 3 rows');
  });

  it('marks a balance that could not be read as unknown', () => {
    const run = aRun();
    run.proposal!.funds = [
      { currency: 'SGD', needed: '1.00', balance: null, committed: '0.00', dueLater: '0', fees: '0', unquotedRows: 0 },
    ];
    expect(renderProposal(run)).toMatch(/SGD +1\.00 +unknown +0\.00 +0 +\?/);
  });
});

describe('progress', () => {
  it('fills its width exactly for any rows, with and without colour', () => {
    const rows = fc.dictionary(fc.constantFrom<PaymentState>(...PAYMENT_STATES), fc.nat(1_000));
    fc.assert(
      fc.property(rows, fc.integer({ min: 60, max: 200 }), (byState, width) => {
        const rowCount = Object.values(byState).reduce((sum, number) => sum + number, 0);
        const run = aRun({ state: 'running', rows: byState, rowCount });
        const plain = renderProgress(run, { width, color: false });
        const colored = renderProgress(run, { width, color: true });
        for (const line of plain.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(plain);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('shows the rate and the time left', () => {
    const run = aRun({ state: 'running', rows: { paid: 1, ready: 2 }, ratePerSecond: 1.654, secondsLeft: 5_000 });
    const text = renderProgress(run, { width: 120, color: false });
    expect(text).toContain('1 of 3 paid');
    expect(text).toContain('1.65 a second, about 1 h 24 min left');
  });

  it('tells what is due today from what waits for a later day', () => {
    const dueLater = { rows: 2, lastDate: '2026-12-24' };
    const waits: Partial<RunSummary> = { state: 'running', rows: { paid: 1, ready: 3 }, dueLater };
    const text = (secondsLeft: number | null) => progressLine(aRun({ ...waits, secondsLeft }));
    expect(text(60)).toContain('about 1 min left for those due today, 2 rows due later, the last on 2026-12-24');
    expect(text(null)).not.toContain('left');
  });
});

describe('on a terminal', () => {
  const escape = '\u001b[';

  it('watching redraws in place, in colour unless NO_COLOR is set', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'completed', rows: { paid: 3 } }));
    const colored = await run(['watch', '018f2a00-0000-7000-8000-000000000001'], { isTty: true });
    expect(colored.code).toBe(0);
    expect(colored.stdout).toContain(`${escape}32m`);
    const plain = await run(['watch', '018f2a00-0000-7000-8000-000000000001'], { isTty: true, env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain(escape);
    expect(plain.stdout).toContain('3 of 3 paid');
  });

  it('and elsewhere writes lines', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'completed', rows: { paid: 3 } }));
    expect((await run(['watch', '018f2a00-0000-7000-8000-000000000001'])).stdout).toBe('completed: paid 3\n');
  });
});

describe('numbers', () => {
  it.each([
    [0, '0 s'],
    [59.2, '1 min'],
    [61, '2 min'],
    [3_600, '1 h'],
    [12_000, '3 h 20 min'],
    [187_200, '2 d 4 h'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    ['1234567.80', '1,234,567.80'],
    ['-1000', '-1,000'],
    ['999', '999'],
    ['not a number', 'not a number'],
  ])('the amount %s is shown as %s', (amount, text) => {
    expect(money(amount)).toBe(text);
  });

  it('columns line up under wide letters, and long cells are cut', () => {
    const table = textTable(
      [
        { title: 'Name', maxWidth: 8 },
        { title: 'Amount', align: 'right' },
      ],
      [
        ['株式会社東京', '1.00'],
        ['Ana', '10.00'],
      ],
    );
    const lines = table.split('\n');
    expect(new Set(lines.map(displayWidth)).size).toBe(1);
    expect(lines[1]).toContain('株式会…');
  });
});

import { describe, expect, it } from 'vitest';
import { renderFindings } from '../../client/cli/runs/render-findings.ts';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import { ROWS_TITLE, rowLines, rowFormatter } from '../../client/cli/runs/row-lines.ts';
import { displayWidth } from '../../client/cli/text-table.ts';
import type { RunFinding } from '../../domain/runs/run-finding.ts';
import { aRowDetail } from '../server/a-row-detail.ts';
import { anAccount, aRow, aRun } from '../server/application-records.ts';
import {
  ACTING,
  aChangedAccount,
  aFreshAccount,
  aNewBeneficiary,
  aReview,
  EVIL,
  foundRows,
  RUN,
} from '../application/a-review.ts';

describe('what stands out', () => {
  it('shows a changed account with both numbers in full, one below the other', () => {
    expect(renderFindings(aReview([aChangedAccount]), aRun()).split('\n')).toEqual([
      'ATTENTION: Bank account changed: Winkler AG, EUR 48,250.00 (INV-7)',
      '    last paid 2026-11-22 to DE89370400440532011234 in DE',
      '    to be paid now to       LT121000011101018901 in LT, another country',
    ]);
    const among = {
      ...aChangedAccount,
      fromCount: 3,
      isOtherCountry: false,
      rows: ['1', '2', '3', '4', '5', '6'],
      rowCount: 600,
    };
    expect(renderFindings(aReview([among]), aRun()).split('\n')).toEqual([
      'ATTENTION: Bank account changed: Winkler AG, EUR 48,250.00 (1, 2, 3, 4, 5 and 595 more rows)',
      '    last paid 2026-11-22 to DE89370400440532011234 in DE (and 2 other accounts)',
      '    to be paid now to       LT121000011101018901 in LT',
    ]);
  });

  it('shows other changed details of an account, the old above the new', () => {
    const from = anAccount({
      iban: 'DE89370400440532011234',
      accountNumber: null,
      bankCode: 'BIC COBADEFF',
      holder: 'Winkler AG',
    });
    const to = { ...from, bankCode: 'BIC OTHRDEFF', country: null, intermediaryBank: 'Other Bank, BIC OTHRLT21' };
    const changed = {
      kind: 'routing_changed',
      name: 'Winkler AG',
      from,
      to,
      lastPaidOn: '2026-11-22',
      ...foundRows,
    } as const;
    expect(renderFindings(aReview([changed]), aRun()).split('\n')).toEqual([
      'ATTENTION: Bank details changed at the same account: Winkler AG, DE89370400440532011234, EUR 48,250.00 (INV-7)',
      '    last paid 2026-11-22 with holder Winkler AG, BIC COBADEFF, in ID',
      '    to be paid now with       holder Winkler AG, BIC OTHRDEFF, via Other Bank, BIC OTHRLT21',
    ]);
    expect(
      renderFindings(aReview([{ ...changed, from: null, to: { ...to, holder: null, bankCode: null } }]), aRun()),
    ).toContain('with unknown details\n    to be paid now with       no holder, no bank code, via');
  });

  it.each<[string, RunFinding, string]>([
    [
      'one account for several names',
      {
        kind: 'account_has_other_names',
        account: aFreshAccount,
        names: ['A Ltd', 'B Ltd'].map((name, index) => ({ name, rows: [`INV-${index}`], rowCount: 1 })),
        nameCount: 3,
        paidBefore: null,
        ...foundRows,
      },
      'ATTENTION: One bank account for several names: LT121000011101018901 in LT, here for A Ltd (INV-0), B Ltd (INV-1) and 1 more name, EUR 48,250.00',
    ],
    [
      'a known account under a new name',
      {
        kind: 'account_has_other_names',
        account: anAccount(),
        names: [{ name: 'A Ltd', rows: ['INV-0'], rowCount: 1 }],
        nameCount: 1,
        paidBefore: { names: ['Brandt GmbH', 'Budi'], nameCount: 2, lastPaidOn: '2026-11-20' },
        ...foundRows,
      },
      'ATTENTION: Bank account of another name: 4567890123 (bank code 014) in ID, here for A Ltd (INV-0), paid before under Brandt GmbH, Budi, last on 2026-11-20, EUR 48,250.00',
    ],
    [
      'an account that the provider does not show',
      { kind: 'details_unknown', beneficiaryId: 'an-id', reason: 'no_such_beneficiary', ...foundRows },
      'ATTENTION: Unknown bank account: beneficiary an-id, the provider does not know this id, EUR 48,250.00 (INV-7)',
    ],
    [
      'an unusual amount',
      { kind: 'unusual_amount', name: 'Winkler AG', largestBefore: '1200.00', ...foundRows },
      'ATTENTION: Unusual amount: Winkler AG, EUR 48,250.00, more than 3 times the largest of the last payments, EUR 1,200.00 (INV-7)',
    ],
    [
      'an earlier run with the same file',
      {
        kind: 'file_submitted_before',
        runs: [
          { runId: RUN, fileName: 'payroll.csv', submittedAt: '2026-11-20T08:00:00.000Z', submittedBy: 'Mia Maker' },
        ],
        runCount: 2,
      },
      `ATTENTION: The same file was submitted before: payroll.csv by Mia Maker on 2026-11-20 08:00 UTC (run ${RUN}) and 1 more run`,
    ],
    [
      'a warning of the file check, with the cells',
      {
        kind: 'check_warning',
        code: 'iban_country_differs',
        column: 'bank_iban',
        problem: 'the IBAN is of another country than bank_country',
        fix: 'compare both with the invoice',
        cells: [{ line: 3, rowRef: 'INV-7', value: 'DE02' }],
        ...foundRows,
      },
      'Warning of the file check: bank_iban DE02: the IBAN is of another country than bank_country; compare both with the invoice (INV-7)',
    ],
    [
      'rows that failed before',
      { kind: 'failed_before', ...foundRows },
      'Failed before, and nothing was changed: EUR 48,250.00 (INV-7)',
    ],
    [
      'a new beneficiary',
      aNewBeneficiary,
      'New beneficiary: Fresh Ltd, 4567890123 (bank code 014) in ID, EUR 48,250.00 (INV-7)',
    ],
    [
      'a later day',
      { kind: 'pays_later', id: 'pays_later:2', day: '2026-12-01', rowCount: 25 },
      'Paid on a later day: 25 rows on 2026-12-01',
    ],
  ])('names %s', (_what, finding, line) => {
    expect(renderFindings(aReview([finding]), aRun())).toBe(line);
  });

  it('has the most alarming first, and says how many are not listed', () => {
    const many = Array.from({ length: 30 }, () => aNewBeneficiary);
    const days = ['2026-12-01', '2026-12-02'].map(
      (day) => ({ kind: 'pays_later', id: `pays_later:${day}`, day, rowCount: 1 }) as const,
    );
    const lines = renderFindings(
      aReview([...days, ...many, aChangedAccount], { new_beneficiary: 70, account_changed: 1 }),
      aRun(),
    ).split('\n');
    expect(lines[0]).toMatch(/^ATTENTION: Bank account changed/);
    expect(lines[3]).toBe('… and 1 more changed bank accounts: --rows marks them');
    expect(lines.filter((line) => line.startsWith('New beneficiary'))).toHaveLength(20);
    expect(lines.slice(-2)).toEqual([
      '… and 80 more new beneficiaries: --rows marks them',
      'Paid on a later day: 1 row on 2026-12-01, 1 row on 2026-12-02',
    ]);
  });

  it('is nothing if there are no findings', () => {
    expect(renderFindings(aReview([]), aRun())).toBe(
      'Nothing stands out: every beneficiary was paid before, at the same bank account.',
    );
  });

  it('has no additional lines, whatever the names contain', () => {
    const named = { ...aChangedAccount, name: 'A Ltd\n    last paid 2026-01-01 to DE00' } as RunFinding;
    expect(renderFindings(aReview([named]), aRun()).split('\n')).toHaveLength(3);
  });

  it('cannot act on the terminal', () => {
    const bad = anAccount({ iban: EVIL, country: EVIL });
    const text = renderFindings(
      aReview([
        { ...aChangedAccount, name: EVIL, to: bad, rows: [EVIL] } as RunFinding,
        { ...aNewBeneficiary, name: EVIL } as RunFinding,
        { kind: 'details_unknown', beneficiaryId: EVIL, reason: 'not_read', ...foundRows },
        {
          kind: 'file_submitted_before',
          runs: [{ runId: RUN, fileName: EVIL, submittedAt: '2026-11-20T08:00:00.000Z', submittedBy: EVIL }],
          runCount: 1,
        },
        {
          kind: 'check_warning',
          ...{ code: 'a', column: EVIL, problem: EVIL, fix: EVIL },
          cells: [{ line: 3, rowRef: EVIL, value: EVIL }],
          ...foundRows,
        },
      ]),
      aRun(),
    );
    const row = aRow({
      rowRef: EVIL,
      beneficiaryName: EVIL,
      reference: EVIL,
      files: [EVIL],
      bankAccount: bad,
      errorMessage: EVIL,
    });
    for (const picture of [
      text,
      rowLines(row, 'running'),
      renderRowDetail(aRun(), aRowDetail({ ...row, instruction: { echo: EVIL } })),
    ]) {
      expect(picture).toContain('\\u{1b}');
      expect(picture).not.toMatch(ACTING);
    }
  });
});

describe('rows', () => {
  const row = aRow({
    line: 123_456,
    rowRef: 'AP-2026-04-0123',
    state: 'duplicate_suspect',
    beneficiaryName: 'Nordlicht Werkzeuge und Maschinen GmbH & Co. KG',
    sellCurrency: 'USD',
    sellAmount: '12345678.90',
    buyAmount: '198765432100',
    payOn: '2026-12-01',
    bankAccount: anAccount({ iban: 'MT84MALT011000012345MTLCAST001S', holder: 'Nordlicht Factoring AG' }),
    country: 'MT',
    reference: 'Invoices 4711, 4712 and 4713 of November',
    marks: ['account_changed', 'unusual_amount'],
  });

  it('fit in 120 columns, with the full account, country, day, reference and marks', () => {
    for (const line of `${ROWS_TITLE}\n${rowLines(row, 'running')}`.split('\n'))
      expect(displayWidth(line)).toBeLessThanOrEqual(120);
    const [upper = '', lower = '', ...remarks] = rowLines(row, 'running').split('\n');
    expect(upper).toMatch(
      /123456 {2}AP-2026-04-0123 +duplicate suspect {2}Nordlicht Werkzeuge und Ma… +USD 12,345,678\.90 +IDR 198,765,432,100/,
    );
    expect(lower).toMatch(
      / MT84MALT011000012345MTLCAST001S +MT +2026-12-01 {2}Invoices 4711, 4712 and 4713 of November$/,
    );
    expect(remarks.map((remark) => remark.trim())).toEqual([
      '! account changed  ! unusual amount',
      'account held by Nordlicht Factoring AG',
      'files: invoice.pdf',
    ]);
  });

  it('line up, and are never cut if they are longer', () => {
    const account = anAccount({ accountNumber: '1'.repeat(34), bankCode: 'bank code 014, branch code 0007' });
    const long = rowLines(
      aRow({ rowRef: 'R'.repeat(64), bankAccount: account, reference: 'x'.repeat(140) }),
      'running',
    );
    for (const text of ['R'.repeat(64), '1'.repeat(34), 'branch code 0007', 'x'.repeat(140)])
      expect(long).toContain(text);
    const [first, second] = [
      rowLines(row, 'running'),
      rowLines(aRow({ beneficiaryName: '株式会社東京' }), 'running'),
    ].map((text) => text.split('\n')[0]);
    expect(displayWidth(first ?? '')).toBe(displayWidth(second ?? ''));
  });

  it('name the currency of both sides, even if only one amount is fixed', () => {
    expect(rowLines(aRow({ buyAmount: null }), 'running').split('\n')[0]).toMatch(/SGD 10\.00 +IDR as quoted$/);
  });

  it('print the other settings once, and again where they change', () => {
    const format = rowFormatter('running');
    const usual = 'With purpose SUPP, funding source COMPANY_BANK_ACCOUNT, funding method PAYNOW:\n';
    expect(format(aRow()).startsWith(usual)).toBe(true);
    expect(format(aRow())).toBe(rowLines(aRow(), 'running'));
    const other = aRow({
      purpose: 'SALA',
      purposeDescription: 'May',
      settings: { payment_channel: 'SWIFT', sender_user_id: EVIL },
    });
    const [first = ''] = format(other).split('\n');
    expect(first).toMatch(/^With purpose SALA \(May\), payment channel SWIFT, sender user id .*:$/);
    expect(first).not.toMatch(ACTING);
    expect(format(aRow()).startsWith(usual)).toBe(true);
  });

  it('have no empty lines if they are masked', () => {
    const masked = aRow({
      bankAccount: null,
      country: null,
      reference: null,
      purpose: null,
      settings: null,
      files: null,
      isMasked: true,
    });
    expect(rowFormatter('running')(masked)).toBe(rowLines(masked, 'running'));
    expect(rowLines(masked, 'running').split('\n')).toHaveLength(1);
  });
});

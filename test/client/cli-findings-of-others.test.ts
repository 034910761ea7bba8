import { expect, it } from 'vitest';
import { renderFindings } from '../../client/cli/runs/render-findings.ts';
import type { EarlierPayment } from '../../domain/runs/run-finding.ts';
import { anAccount, aRun } from '../server/application-records.ts';
import { aReview, foundRows } from '../application/a-review.ts';

it('shows the name that another one looks like, above it', () => {
  const finding = {
    kind: 'look_alike',
    name: 'Winkier AG',
    account: anAccount({ iban: 'LT121000011101018901', accountNumber: null, bankCode: null, country: 'LT' }),
    like: 'Winkler AG',
    likeAccount: anAccount({ iban: 'DE89370400440532011234', accountNumber: null, bankCode: null, country: 'DE' }),
    lastPaidOn: '2026-11-22',
    likeRow: null,
    likeKey: null,
    ...foundRows,
  } as const;
  expect(renderFindings(aReview([finding]), aRun()).split('\n')).toEqual([
    'ATTENTION: Looks like another beneficiary: Winkier AG, EUR 48,250.00 (INV-7)',
    '    last paid 2026-11-22: Winkler AG, DE89370400440532011234 in DE',
    '    to be paid now: Winkier AG, LT121000011101018901 in LT',
  ]);
  const inFile = { ...finding, lastPaidOn: null, likeAccount: null, likeRow: 'INV-3' };
  expect(renderFindings(aReview([inFile]), aRun())).toContain('in row INV-3: Winkler AG, an unknown account');
  const inBook = { ...finding, lastPaidOn: null, likeKey: 'K-12' };
  expect(renderFindings(aReview([inBook]), aRun())).toContain('K-12 of the book: Winkler AG, DE89');
});

it('shows what was paid of an invoice, when, in which run, with its reference', () => {
  const earlier: EarlierPayment = {
    ...{ runId: 'a-run', fileName: 'march.csv', rowRef: 'INV-3', account: 'default', currency: 'EUR' },
    ...{ amount: '48250.01', state: 'paid', reference: 'RE 4711', paidOn: '2026-11-20' },
  };
  const here: EarlierPayment = { ...earlier, fileName: null, state: 'ready', reference: null, paidOn: null };
  const finding = { name: 'Winkler AG', earlier: [earlier, here], earlierCount: 2, ...foundRows };
  expect(renderFindings(aReview([{ kind: 'invoice_paid_before', ...finding }]), aRun()).split('\n')).toEqual([
    'ATTENTION: Invoice paid before: Winkler AG, EUR 48,250.00 (INV-7)',
    '    paid 2026-11-20: EUR 48,250.01, RE 4711 (INV-3 of march.csv, run a-run of the account default)',
    '    ready: EUR 48,250.01, its reference was erased (INV-3 of this file)',
  ]);
  expect(renderFindings(aReview([{ kind: 'similar_payment', ...finding }]), aRun())).toMatch(
    /^Like an earlier payment: /,
  );
});

it('shows how a sheet was read that is read in a new way, a line for each column', () => {
  const columns = [{ column: 'amount', from: '"Betrag"', before: null }];
  const of = { kind: 'new_profile', name: 'Lieferanten', hash: 'abc', isChange: false } as const;
  const read = { ...of, columns, amounts: '1.234,56' };
  expect(renderFindings(aReview([read]), aRun()).split('\n')).toEqual([
    'ATTENTION: Read in a new way, by the profile "Lieferanten" (abc):',
    '    amount: "Betrag"',
    '    amounts are written like 1.234,56',
  ]);
  expect(renderFindings(aReview([{ ...read, columns: [], amounts: null }]), aRun())).toContain(
    'What is stored of it is damaged.',
  );
  const changed = [{ column: 'bank_name', from: null, before: '"Bank"' }];
  expect(renderFindings(aReview([{ ...of, isChange: true, columns: changed, amounts: null }]), aRun())).toContain(
    '    bank_name: nothing; before: "Bank"',
  );
});

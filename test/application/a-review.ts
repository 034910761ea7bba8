import type { RunFinding, RunReview } from '../../domain/runs/run-finding.ts';
import { anAccount, aRun } from '../server/application-records.ts';
import { aCommandLine, type CommandLine } from '../client/cli-harness.ts';

export const RUN = '018f2a00-0000-7000-8000-000000000001';
/** Of the content of the run. */
export const HASH = `0123456789abcdef${'a'.repeat(48)}`;

export const EVIL = 'a\u001b]0;title\u0007\u001b[2J\u202eb\r\n\u009bc';
/** Control characters other than the line ends that rendering itself sets. */
export const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u;

const [oldIban, freshIban] = ['DE89370400440532011234', 'LT121000011101018901'];
export const anOldAccount = anAccount({ iban: oldIban, accountNumber: null, bankCode: null, country: 'DE' });
export const aFreshAccount = anAccount({
  iban: freshIban,
  accountNumber: null,
  bankCode: 'BIC CBVILT2X',
  country: 'LT',
});

export const foundRows = {
  id: 'account_changed:7',
  rows: ['INV-7'],
  rowCount: 1,
  amounts: [{ currency: 'EUR', amount: '48250.00' }],
};

export const aChangedAccount: RunFinding = {
  kind: 'account_changed',
  name: 'Winkler AG',
  from: anOldAccount,
  fromCount: 1,
  to: aFreshAccount,
  isOtherCountry: true,
  lastPaidOn: '2026-11-22',
  ...foundRows,
};
export const aNewBeneficiary: RunFinding = {
  kind: 'new_beneficiary',
  name: 'Fresh Ltd',
  account: anAccount(),
  ...foundRows,
};

export function aReview(findings: RunFinding[], unlistedCounts: RunReview['unlistedCounts'] = {}): RunReview {
  return { contentHash: HASH, findings, unlistedCounts };
}

/** The command line with a run that waits for a decision, and what stands out in it. */
export async function aRunToDecide(...findings: RunFinding[]): Promise<CommandLine> {
  const line = await aCommandLine();
  const run = aRun();
  line.application.runs.set(RUN, { ...run, proposal: { ...run.proposal!, contentHash: HASH } });
  line.application.review = aReview(findings);
  return line;
}

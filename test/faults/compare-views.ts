import type { LedgerReport } from '../../sandbox/control/ledger-report.ts';
import type { SandboxPayment } from '../helpers/sandbox-control.ts';
import type { FourViews, RecordedRow } from './four-views.ts';

/** A disagreement between the views, by how bad it is. */
export interface Finding {
  kind: 'paidTwice' | 'lost' | 'disagreement' | 'unknown';
  what: string;
}

/** Every disagreement between the provider, the record, results.csv and Temporal; none when all is well. */
export function compareViews(views: FourViews, limitPerSecond: number): Finding[] {
  return [
    ...views.rows.flatMap((row) => compareRow(views, row)),
    ...strangers(views),
    ...missingRows(views),
    ...compareRun(views),
    ...ledgerFindings(views.ledger, limitPerSecond),
  ];
}

function compareRow(views: FourViews, row: RecordedRow): Finding[] {
  const say = (kind: Finding['kind'], what: string): Finding => ({ kind, what: `row ${row.rowRef}: ${what}` });
  const theirs = views.provider.filter(({ referenceId }) => referenceId === row.referenceId);
  const findings: Finding[] = [];
  if (theirs.length > 1) findings.push(say('paidTwice', `the provider has ${theirs.length} payments`));
  for (const { timesFunded } of theirs) {
    if (timesFunded > 1) findings.push(say('paidTwice', `funded ${timesFunded} times`));
  }
  findings.push(...compareWithProvider(row, theirs[0], say));
  const address = views.addresses.get(row.rowRef);
  if (theirs[0] !== undefined && address !== undefined && theirs[0].beneficiaryAddress !== address) {
    findings.push(say('disagreement', `it is to go to ${address}, the provider has ${theirs[0].beneficiaryAddress}`));
  }
  const known = theirs[0]?.id ?? null;
  if (row.providerPaymentId !== known && row.state !== 'unknown') {
    findings.push(
      say('lost', `the record knows payment ${String(row.providerPaymentId)}, the provider ${String(known)}`),
    );
  }
  if (row.state === 'paid' && (row.creates !== 1 || row.funds > 1)) {
    findings.push(say('disagreement', `paid, with ${row.creates} creations and ${row.funds} fundings on record`));
  }
  if (row.open > 0 && row.state !== 'unknown')
    findings.push(say('disagreement', `${row.open} requests are still open`));
  if (row.auditedCreates !== row.creates || row.auditedFunds !== row.funds) {
    const audited = `${row.auditedCreates} creations and ${row.auditedFunds} fundings`;
    findings.push(say('disagreement', `the audit trail has ${audited}, the record ${row.creates} and ${row.funds}`));
  }
  const workflow = views.workflows.get(row.paymentId);
  const mayHaveEnded: (string | null | undefined)[] = [row.state, ...(row.wasUnknown ? ['unknown'] : [])];
  if (workflow?.status !== 'COMPLETED' || !mayHaveEnded.includes(workflow.state)) {
    findings.push(say('disagreement', `it is ${row.state}, its workflow ${workflow?.status} ${workflow?.state}`));
  }
  return findings;
}

/** What the provider may have of a row in each state. */
function compareWithProvider(
  row: RecordedRow,
  theirs: SandboxPayment | undefined,
  say: (kind: Finding['kind'], what: string) => Finding,
): Finding[] {
  const has = theirs === undefined ? 'nothing' : `${theirs.status}, funded ${theirs.timesFunded} times`;
  const disagree = (kind: Finding['kind']): Finding[] => [say(kind, `it is ${row.state}, the provider has ${has}`)];
  switch (row.state) {
    case 'paid':
      if (theirs?.status !== 'completed' || theirs.timesFunded !== 1) return disagree('lost');
      return sameAmount(row.totalAmount, theirs.totalAmount)
        ? []
        : [say('disagreement', `its total is ${String(row.totalAmount)}, the provider's ${theirs.totalAmount}`)];
    case 'rejected':
    case 'failed':
      return theirs === undefined || theirs.status === row.state ? [] : disagree('lost');
    case 'held':
      return theirs === undefined ? [] : disagree('lost');
    case 'unknown':
      return [say('unknown', `${String(row.errorCode)}; the provider has ${has}`)];
    default:
      return disagree(theirs?.status === 'completed' ? 'lost' : 'disagreement');
  }
}

const sameAmount = (ours: string | null, theirs: string): boolean => ours !== null && Number(ours) === Number(theirs);

/** Payments that the provider has and no row of the run asked for. */
function strangers({ provider, rows }: FourViews): Finding[] {
  const ours = new Set(rows.map(({ referenceId }) => referenceId));
  return provider
    .filter(({ referenceId }) => !ours.has(referenceId ?? ''))
    .map(({ id, status }) => ({
      kind: 'lost',
      what: `the provider has payment ${id} (${status}), which no row asked for`,
    }));
}

/** results.csv holds each row of the file once, as the record has it. */
function missingRows({ rowRefs, rows, results }: FourViews): Finding[] {
  return rowRefs.flatMap((rowRef): Finding[] => {
    const recorded = rows.find((row) => row.rowRef === rowRef);
    const shown = results.filter((result) => result['row_ref'] === rowRef);
    if (recorded === undefined) return [{ kind: 'lost', what: `row ${rowRef}: not in the record` }];
    if (shown.length !== 1) return [{ kind: 'lost', what: `row ${rowRef}: ${shown.length} times in results.csv` }];
    const [result] = shown;
    const isSame =
      result?.['status'] === recorded.state && result['provider_id'] === (recorded.providerPaymentId ?? '');
    if (isSame) return [];
    const what = `row ${rowRef}: ${recorded.state} in the record, ${String(result?.['status'])} in results.csv`;
    return [{ kind: 'disagreement', what }];
  });
}

function compareRun({ run, rows, runWorkflow }: FourViews): Finding[] {
  const paid = rows.filter(({ state }) => state === 'paid').length;
  const expected = paid === rows.length ? 'completed' : paid > 0 ? 'partially_completed' : 'failed';
  const findings: Finding[] = [];
  if (run.state !== expected) findings.push({ kind: 'disagreement', what: `the run is ${run.state}, not ${expected}` });
  // A run that ended with a row unknown follows that row later; its workflow had said what was known.
  const before = rows.some(({ wasUnknown }) => wasUnknown) ? ['partially_completed', 'failed'] : [];
  if (runWorkflow.status !== 'COMPLETED' || ![run.state, ...before].includes(runWorkflow.state ?? '')) {
    const what = `the run is ${run.state}, its workflow ${runWorkflow.status} ${String(runWorkflow.state)}`;
    findings.push({ kind: 'disagreement', what });
  }
  return findings;
}

function ledgerFindings(ledger: LedgerReport, limitPerSecond: number): Finding[] {
  const findings: Finding[] = [];
  const add = (kind: Finding['kind'], what: string): unknown => findings.push({ kind, what: `the ledger: ${what}` });
  if (ledger.createdMoreThanOnce.length > 0)
    add('paidTwice', `created twice: ${ledger.createdMoreThanOnce.join(', ')}`);
  if (ledger.fundedMoreThanOnce.length > 0) add('paidTwice', `funded twice: ${ledger.fundedMoreThanOnce.join(', ')}`);
  if (!ledger.invariantHolds) add('disagreement', 'it does not add up');
  if (ledger.rejectedByLimit > 0) add('disagreement', `${ledger.rejectedByLimit} requests were over the limit`);
  if (ledger.mostInAnySecond > limitPerSecond) add('disagreement', `${ledger.mostInAnySecond} requests in a second`);
  if (ledger.credentialLeaks > 0) add('disagreement', `${ledger.credentialLeaks} uploads carried a credential`);
  return findings;
}

import type { LedgerReport } from '../../sandbox/control/ledger-report.ts';
import type { SandboxPayment } from '../helpers/sandbox-control.ts';
import type { Finding } from './outcome.ts';
import type { RecordedRow, RunViews } from './run-views.ts';

/** Every contradiction between the provider, the database, results.csv and Temporal; empty when they agree. */
export function compareViews(views: RunViews, limitPerSecond: number): Finding[] {
  return [
    ...views.rows.flatMap((row) => compareRow(views, row)),
    ...unexpectedPayments(views),
    ...compareResults(views),
    ...compareRun(views),
    ...ledgerFindings(views.ledger, limitPerSecond),
  ];
}

function compareRow(views: RunViews, row: RecordedRow): Finding[] {
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
    findings.push(
      say('disagreement', `the row has the address ${address}, the provider ${theirs[0].beneficiaryAddress}`),
    );
  }
  const known = theirs[0]?.id ?? null;
  if (row.providerPaymentId !== known && row.state !== 'unknown') {
    findings.push(
      say('lost', `the database has payment ${String(row.providerPaymentId)}, the provider ${String(known)}`),
    );
  }
  if (row.state === 'paid' && (row.creates !== 1 || row.funds > 1)) {
    findings.push(say('disagreement', `paid, with ${row.creates} creations and ${row.funds} fundings in the database`));
  }
  if (row.open > 0 && row.state !== 'unknown')
    findings.push(say('disagreement', `${row.open} requests are still open`));
  if (row.auditedCreates !== row.creates || row.auditedFunds !== row.funds) {
    const audited = `${row.auditedCreates} creations and ${row.auditedFunds} fundings`;
    findings.push(say('disagreement', `the audit trail has ${audited}, the database ${row.creates} and ${row.funds}`));
  }
  const workflow = views.workflows.get(row.paymentId);
  const mayHaveEnded: (string | null | undefined)[] = [row.state, ...(row.wasUnknown ? ['unknown'] : [])];
  if (workflow?.status !== 'COMPLETED' || !mayHaveEnded.includes(workflow.state)) {
    findings.push(say('disagreement', `it is ${row.state}, its workflow ${workflow?.status} ${workflow?.state}`));
  }
  return findings;
}

/** Whether the provider's payment agrees with the row's state. */
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

/** Payments at the provider that belong to no row of the run. */
function unexpectedPayments({ provider, rows }: RunViews): Finding[] {
  const ours = new Set(rows.map(({ referenceId }) => referenceId));
  return provider
    .filter(({ referenceId }) => !ours.has(referenceId ?? ''))
    .map(({ id, status }) => ({
      kind: 'lost',
      what: `the provider has payment ${id} (${status}), which belongs to no row`,
    }));
}

/** results.csv must have each row of the file once, in the recorded state. */
function compareResults({ rowRefs, rows, results }: RunViews): Finding[] {
  return rowRefs.flatMap((rowRef): Finding[] => {
    const recorded = rows.find((row) => row.rowRef === rowRef);
    const shown = results.filter((result) => result['row_ref'] === rowRef);
    if (recorded === undefined) return [{ kind: 'lost', what: `row ${rowRef}: not in the database` }];
    if (shown.length !== 1) return [{ kind: 'lost', what: `row ${rowRef}: ${shown.length} times in results.csv` }];
    const [result] = shown;
    const isSame =
      result?.['status'] === recorded.state && result['provider_payment_id'] === (recorded.providerPaymentId ?? '');
    if (isSame) return [];
    const what = `row ${rowRef}: ${recorded.state} in the database, ${String(result?.['status'])} in results.csv`;
    return [{ kind: 'disagreement', what }];
  });
}

function compareRun({ run, rows, runWorkflow }: RunViews): Finding[] {
  const paid = rows.filter(({ state }) => state === 'paid').length;
  const expected = paid === rows.length ? 'completed' : paid > 0 ? 'partially_completed' : 'failed';
  const findings: Finding[] = [];
  if (run.state !== expected) findings.push({ kind: 'disagreement', what: `the run is ${run.state}, not ${expected}` });
  // A run with unknown rows changes its state when their outcome is found, after its workflow has ended.
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

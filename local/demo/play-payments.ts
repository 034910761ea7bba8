import { followRun } from '../../client/cli/runs/follow-run.ts';
import { renderProposal } from '../../client/cli/runs/render-proposal.ts';
import { type Demo, type PlayedDemo, secondsSince } from './demo.ts';
import { collectRows, demoSubmission, readSandboxLedger, writeResultFiles } from './demo-files.ts';
import { findDeviations, type Ledger } from './demo-script.ts';
import { exampleClients } from './example-users.ts';
import { ledgerTable, nextSteps, resultTable } from './payments-report.ts';
import { waitForProposal } from './wait-for-proposal.ts';

/** A CSV of payments, from submission to results. */
export async function playPayments({ stack, screen, io, options, signal }: Demo): Promise<PlayedDemo> {
  const startedAtMs = performance.now();
  const { serverUrl, sandboxUrl } = stack.addresses;
  const { maker, checker } = await exampleClients(stack.ownerDatabaseUrl, serverUrl);
  screen.title('The maker submits examples/supplier-payments.csv');
  const { runId } = await maker.submitRun(await demoSubmission());
  const proposed = await waitForProposal(maker, runId);
  screen.show(renderProposal(proposed));
  screen.title('The checker approves');
  await checker.approveRun({ runId, contentHash: proposed.proposal?.contentHash ?? '', comment: 'demo' });
  const run = await followRun(checker, runId, io, options.json ? io.stderr : io.stdout, signal);
  const seconds = secondsSince(startedAtMs);
  screen.show(`\n${resultTable(await collectRows(maker, runId))}`);
  const written = await writeResultFiles(maker, runId, io.cwd);
  const ledger = await readSandboxLedger<Ledger>(sandboxUrl ?? '');
  const deviations = findDeviations(run, ledger);
  screen.ending({
    sections: [ledgerTable(run, seconds, ledger), written.map((path) => `Written: ${path}`).join('\n')],
    deviations,
    kept: options.keep ? stack : null,
    nextSteps: nextSteps(run, options.keep),
  });
  return { deviations, document: { runId, state: run.state, rows: run.rows, seconds, ledger } };
}

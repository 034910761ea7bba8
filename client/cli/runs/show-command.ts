import type { Command } from 'commander';
import type { RunReview } from '../../../domain/runs/run-finding.ts';
import { mayAny } from '../../../domain/users/role.ts';
import type { RunSummary } from '../../../application/application-api.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { shortHash } from '../approvals/content-hash.ts';
import { printable } from '../printable.ts';
import { MASKED_SENTENCE, renderFindings } from './render-findings.ts';
import { renderProposal } from './render-proposal.ts';
import { renderRowDetail } from './render-row-detail.ts';
import { ROWS_TITLE, rowLister } from './row-lines.ts';

interface ShowOptions {
  rows?: boolean;
  row?: string;
  json?: boolean;
}

export function addShowCommand(program: Command, io: CommandIo): void {
  program
    .command('show')
    .description('show what a run would do, or has done, and what stands out in it')
    .argument('<run>', "the run's id")
    .option('--rows', 'every row as well: bank account, reference, and the reason for what was not paid')
    .option('--row <ref>', 'one row alone: all that it pays by, and the evidence of what became of it')
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, options: ShowOptions) => {
      const client = await connect(io);
      if (options.row !== undefined) {
        const row = await client.getRow(runId, options.row);
        await (options.json === true ? writeJson(io, row) : writeLine(io.stdout, renderRowDetail(runId, row)));
        return;
      }
      const [run, { roles, userId }] = await Promise.all([client.getRun(runId), client.me()]);
      const mayRead = mayAny(roles, 'read_instructions');
      const mayDecide = mayAny(roles, 'decide_run') && run.submittedBy.userId !== userId;
      const review = mayRead && run.proposal !== null ? await client.getReview(runId) : null;
      if (options.json === true) return showAsJson(client, run, review, options, io);
      await writeLine(io.stdout, renderProposal(run));
      if (review !== null) await writeLine(io.stdout, `\n${renderFindings(review)}`);
      if (!mayRead) await writeLine(io.stdout, `\n${MASKED_SENTENCE}`);
      if (options.rows === true) await showRows(client, runId, io);
      if (mayDecide && run.state === 'in_approval') await writeLine(io.stdout, `\n${howToDecide(run)}`);
    });
}

function howToDecide({ runId, proposal }: RunSummary): string {
  const run = printable(runId);
  return [
    `To approve what you see here: payrun approve ${run} --content-hash ${shortHash(proposal?.contentHash ?? '')}`,
    `To refuse it:                 payrun reject ${run} --comment TEXT`,
  ].join('\n');
}

async function showRows(client: PayrunClient, runId: string, io: CommandIo): Promise<void> {
  let isFirst = true;
  const listed = rowLister();
  for await (const row of client.listRows(runId)) {
    await writeLine(io.stdout, isFirst ? `\n${ROWS_TITLE}\n${listed(row)}` : listed(row));
    isFirst = false;
  }
  if (isFirst) await writeLine(io.stdout, '\nNo rows.');
}

/** One document, its rows written one by one, so that a run of any size fits. */
async function showAsJson(
  client: PayrunClient,
  run: RunSummary,
  review: RunReview | null,
  { rows }: ShowOptions,
  io: CommandIo,
): Promise<void> {
  const document = { ...run, review };
  if (rows !== true) return writeJson(io, document);
  let separator = `${JSON.stringify(document).slice(0, -1)},"payments":[`;
  for await (const row of client.listRows(run.runId)) {
    await write(io.stdout, `${separator}${JSON.stringify(row)}`);
    separator = ',';
  }
  await write(io.stdout, separator === ',' ? ']}\n' : `${separator}]}\n`);
}

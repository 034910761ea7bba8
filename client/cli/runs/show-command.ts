import type { Command } from 'commander';
import type { RunReview } from '../../../domain/runs/run-finding.ts';
import { mayAny } from '../../../domain/users/role.ts';
import type { PayrunClient, RunSummary } from '../../sdk/index.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { shortHash } from '../approvals/content-hash.ts';
import { printable } from '../printable.ts';
import { MASKED_SENTENCE, renderFindings } from './render-findings.ts';
import { renderProposal } from './render-proposal.ts';
import { renderRowDetail } from './render-row-detail.ts';
import { ROWS_TITLE, rowFormatter } from './row-lines.ts';

interface ShowOptions {
  rows?: boolean;
  row?: string;
  json?: boolean;
}

export function addShowCommand(program: Command, io: CommandIo): void {
  program
    .command('show')
    .description('show what a run pays, its progress, and what stands out in it')
    .argument('<run>', "the run's id")
    .option('--rows', 'also list every row: bank account, reference, and the reason if it is not paid')
    .option('--row <ref>', 'show only this row: its whole instruction, and the evidence of its outcome')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun show RUN --rows', 'payrun show RUN --row INV-1'))
    .action(async (runId: string, options: ShowOptions) => {
      const client = await connect(io);
      if (options.row !== undefined) {
        const [row, run] = await Promise.all([client.getRow({ runId, rowRef: options.row }), client.getRun({ runId })]);
        await (options.json === true ? writeJson(io, row) : writeLine(io.stdout, renderRowDetail(run, row)));
        return;
      }
      const [run, { roles, userId }] = await Promise.all([client.getRun({ runId }), client.getMe()]);
      const mayRead = mayAny(roles, 'read_instructions');
      const mayDecide = mayAny(roles, 'decide_run') && run.submittedBy.userId !== userId;
      const review = mayRead && run.proposal !== null ? await client.getReview({ runId }) : null;
      if (options.json === true) return printJson(client, run, review, options, io);
      await writeLine(io.stdout, renderProposal(run));
      if (review !== null) await writeLine(io.stdout, `\n${renderFindings(review, run)}`);
      if (!mayRead) await writeLine(io.stdout, `\n${MASKED_SENTENCE}`);
      if (options.rows === true) await printRows(client, run, io);
      if (mayDecide && run.state === 'in_approval') await writeLine(io.stdout, `\n${howToDecide(run)}`);
    });
}

function howToDecide({ runId, proposal }: RunSummary): string {
  const run = printable(runId);
  return [
    `To approve exactly this:     payrun approve ${run} --content-hash ${shortHash(proposal?.contentHash ?? '')}`,
    `To reject it:                 payrun reject ${run} --comment TEXT`,
  ].join('\n');
}

async function printRows(client: PayrunClient, { runId, state }: RunSummary, io: CommandIo): Promise<void> {
  let isFirst = true;
  const format = rowFormatter(state);
  for await (const row of client.eachRow({ runId })) {
    await writeLine(io.stdout, isFirst ? `\n${ROWS_TITLE}\n${format(row)}` : format(row));
    isFirst = false;
  }
  if (isFirst) await writeLine(io.stdout, '\nNo rows.');
}

/** One document, written row by row so that a run of any size fits in memory. */
async function printJson(
  client: PayrunClient,
  run: RunSummary,
  review: RunReview | null,
  { rows }: ShowOptions,
  io: CommandIo,
): Promise<void> {
  const document = { ...run, review };
  if (rows !== true) return writeJson(io, document);
  let separator = `${JSON.stringify(document).slice(0, -1)},"payments":[`;
  for await (const row of client.eachRow({ runId: run.runId })) {
    await write(io.stdout, `${separator}${JSON.stringify(row)}`);
    separator = ',';
  }
  await write(io.stdout, separator === ',' ? ']}\n' : `${separator}]}\n`);
}

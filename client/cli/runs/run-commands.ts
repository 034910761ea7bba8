import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { RunSummary } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { expectConfirmed } from '../confirm.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { renderDoneOrChange } from '../users/render-users.ts';
import { count, moment, words } from '../wording.ts';
import { expectAllPaid, followRun } from './follow-run.ts';

const MAX_RUNS = 200;

export function addRunCommands(program: Command, io: CommandIo): void {
  const runs = program
    .command('runs')
    .description('list the latest runs')
    .option('--limit <count>', `how many, at most ${MAX_RUNS}`, runCount, 20)
    .option('--json', 'one JSON document on stdout')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const page = await (await connect(io)).listRuns({ limit });
      await (json === true ? writeJson(io, page) : writeLine(io.stdout, renderRuns(page.runs)));
    });

  addEraseCommand(runs, io);

  program
    .command('watch')
    .description('follow a run until it has ended')
    .argument('<run>', "the run's id")
    .option('--json', 'one JSON document of the run per line, whenever it changes')
    .addHelpText('after', examples('payrun watch RUN'))
    .action(async (runId: string, { json }: { json?: boolean }) => {
      const client = await connect(io);
      if (json !== true) {
        expectAllPaid(await followRun(client, runId, io, io.stdout));
        return;
      }
      let last = null;
      for await (const run of client.watchRun({ runId })) {
        await writeJson(io, run);
        last = run;
      }
      expectAllPaid(last ?? (await client.getRun({ runId })));
    });
}

function runCount(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_RUNS) throw new InvalidArgumentError(`Give a number from 1 to ${MAX_RUNS}.`);
  return number;
}

/** Runs as a table. */
export function renderRuns(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return 'There are no runs yet.';
  return textTable(
    [
      { title: 'Run' },
      { title: 'State' },
      { title: 'Paid', align: 'right' },
      { title: 'Rows', align: 'right' },
      { title: 'Submitted' },
      { title: 'By', maxWidth: 20 },
      { title: 'File', maxWidth: 40 },
    ],
    runs.map((run) => [
      run.runId,
      words(run.state),
      count(run.rows.paid ?? 0),
      count(run.rowCount),
      moment(run.submittedAt),
      run.submittedBy.name,
      run.fileName,
    ]),
  );
}

function addEraseCommand(runs: Command, io: CommandIo): void {
  runs
    .command('erase')
    .description('propose to erase what an ended run has of those whom it paid; amounts, states and hashes stay')
    .argument('<run>', "the run's id")
    .option('--yes', 'do not ask: for scripts')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun runs erase RUN', 'payrun runs erase RUN --yes'))
    .action(async (runId: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }) => {
      const client = await connectToChange(io);
      const { fileName } = await client.getRun({ runId });
      const what = `what run ${runId} (${fileName}) has of those whom it paid`;
      if (!yes) await expectConfirmed(io, `Propose to erase ${printable(what)} for good?`);
      const { change } = await client.eraseRun({ runId });
      await (json
        ? writeJson(io, { runId, change })
        : writeLine(io.stdout, printable(renderDoneOrChange(change, `Erased ${what}.`))));
    });
}

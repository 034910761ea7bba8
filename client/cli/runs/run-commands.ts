import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { expectAllPaid, followRun } from './follow-run.ts';
import { renderRuns } from './render-lists.ts';

const MOST_RUNS = 200;

export function addRunCommands(program: Command, io: CommandIo): void {
  program
    .command('runs')
    .description('list the latest runs')
    .option('--limit <count>', `how many, ${MOST_RUNS} at most`, wholeNumber, 20)
    .option('--json', 'one JSON document on stdout')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const page = await (await connect(io)).listRuns({ limit });
      await (json === true ? writeJson(io, page) : writeLine(io.stdout, renderRuns(page.runs)));
    });

  program
    .command('watch')
    .description('follow a run until it has ended')
    .argument('<run>', "the run's id")
    .option('--json', 'the run as one JSON document a line, whenever it has changed')
    .action(async (runId: string, { json }: { json?: boolean }) => {
      const client = await connect(io);
      if (json !== true) {
        expectAllPaid(await followRun(client, runId, io, io.stdout));
        return;
      }
      let last = null;
      for await (const run of client.watchRun(runId)) {
        await writeJson(io, run);
        last = run;
      }
      expectAllPaid(last ?? (await client.getRun(runId)));
    });
}

function wholeNumber(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST_RUNS) throw new InvalidArgumentError(`It must be from 1 to ${MOST_RUNS}.`);
  return number;
}

import type { Writable } from 'node:stream';
import type { RunSummary } from '../../../application/application-api.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import type { CommandIo } from '../command-io.ts';
import { usesColor, widthOf, write, writeLine } from '../command-io.ts';
import { NotAllPaid } from '../exit-code.ts';
import { progressLine, renderProgress } from './render-progress.ts';
import { unknownNotice } from './unknown-notice.ts';
import { counted, words } from '../wording.ts';

/** On a log, a line for each state and each twentieth of the way is enough. */
const LOGGED_STEPS = 20;

/** Shows a run until it has ended: a live bar on a terminal, lines elsewhere. Answers the run as it ended. Throws the signal's reason. */
export async function followRun(
  client: PayrunClient,
  runId: string,
  io: CommandIo,
  out: Writable,
  signal?: AbortSignal,
): Promise<RunSummary> {
  const isLive = io.isTty && out === io.stdout;
  let last: RunSummary | null = null;
  let shown = '';
  for await (const run of client.watchRun(runId, signal === undefined ? {} : { signal })) {
    if (isLive) {
      const picture = renderProgress(run, { width: widthOf(io) - 1, color: usesColor(io) });
      await write(out, `${erase(shown)}${picture}\n`);
      shown = picture;
    } else if (isWorthALine(run, last) || last === null) {
      await writeLine(out, `${words(run.state)}: ${progressLine(run)}`);
    }
    last = run;
  }
  const run = last ?? (await client.getRun(runId));
  const notice = unknownNotice(run);
  if (notice !== '') await writeLine(out, `\n${notice}`);
  return run;
}

/** Throws NotAllPaid unless the provider has confirmed every row as paid. */
export function expectAllPaid(run: RunSummary, skippedProblems = 0): void {
  if (run.state === 'completed' && skippedProblems === 0) return;
  const rows = Math.max(0, run.rowCount - (run.rows.paid ?? 0));
  throw new NotAllPaid(
    `the run has ended as ${words(run.state)} with ${counted(rows, 'row')} not paid` +
      `${skippedProblems === 0 ? '' : ` and ${counted(skippedProblems, 'problem')} in rows left out`}: ` +
      `see 'payrun show ${run.runId} --rows' and 'payrun exceptions ${run.runId}'`,
  );
}

function isWorthALine(run: RunSummary, before: RunSummary | null): boolean {
  return before?.state !== run.state || stepOf(before) !== stepOf(run);
}

function stepOf({ rows, rowCount }: RunSummary): number {
  const waiting = (rows.ready ?? 0) + (rows.quoted ?? 0);
  return Math.floor(((rowCount - waiting + (rows.paid ?? 0)) / Math.max(1, 2 * rowCount)) * LOGGED_STEPS);
}

function erase(picture: string): string {
  return picture === '' ? '' : `\u001b[${picture.split('\n').length}A\u001b[0J`;
}

import type { Writable } from 'node:stream';
import type { PayrunClient, RunSummary } from '../../sdk/index.ts';
import type { CommandIo } from '../command-io.ts';
import { usesColor, widthOf, write, writeLine } from '../command-io.ts';
import { NotAsRequested } from '../exit-code.ts';
import { progressLine, renderProgress, unknownNotice } from './render-progress.ts';
import { counted, words } from '../wording.ts';

/** A log gets one line for each state and each twentieth of the progress. */
const LOGGED_STEPS = 20;

/**
 * Shows a run until it has ended: a live bar on a terminal, lines elsewhere. Returns the ended run. Throws the reason of
 * an aborted signal.
 */
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
  for await (const run of client.watchRun({ runId }, signal === undefined ? {} : { signal })) {
    if (isLive) {
      const frame = renderProgress(run, { width: widthOf(io) - 1, color: usesColor(io) });
      await write(out, `${erase(shown)}${frame}\n`);
      shown = frame;
    } else if (last === null || hasProgressed(run, last)) {
      await writeLine(out, `${words(run.state)}: ${progressLine(run)}`);
    }
    last = run;
  }
  const run = last ?? (await client.getRun({ runId }));
  const notice = unknownNotice(run);
  if (notice !== '') await writeLine(out, `\n${notice}`);
  return run;
}

/** Throws NotAsRequested unless the provider has confirmed every row as paid. */
export function expectAllPaid(run: RunSummary, skippedProblems = 0): void {
  if (run.state === 'completed' && skippedProblems === 0) return;
  const rows = Math.max(0, run.rowCount - (run.rows.paid ?? 0));
  throw new NotAsRequested(
    `the run has ended as ${words(run.state)} with ${counted(rows, 'row')} not paid` +
      `${skippedProblems === 0 ? '' : ` and ${counted(skippedProblems, 'problem')} in skipped rows`}: ` +
      `see 'payrun show ${run.runId} --rows' and 'payrun exceptions ${run.runId}'`,
  );
}

function hasProgressed(run: RunSummary, before: RunSummary): boolean {
  return before.state !== run.state || stepOf(before) !== stepOf(run);
}

function stepOf({ rows, rowCount }: RunSummary): number {
  const notStarted = (rows.ready ?? 0) + (rows.quoted ?? 0);
  return Math.floor(((rowCount - notStarted + (rows.paid ?? 0)) / Math.max(1, 2 * rowCount)) * LOGGED_STEPS);
}

function erase(frame: string): string {
  return frame === '' ? '' : `\u001b[${frame.split('\n').length}A\u001b[0J`;
}

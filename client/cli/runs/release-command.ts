import { type Command, Option } from 'commander';
import type { ReleasedRows, SuspectedRows, SuspectQuery } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { SHORT_HASH, shortHash } from '../approvals/content-hash.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted, moment, money } from '../wording.ts';

interface ReleaseOptions {
  row?: string;
  search?: string;
  currency?: string;
  cause?: SuspectQuery['code'];
  seen?: string;
  reason?: string;
  json?: boolean;
}

const CODES = ['row_ref_used_before', 'same_beneficiary_and_amount'] as const;

export function addReleaseCommand(program: Command, io: CommandIo): void {
  program
    .command('release')
    .description(
      'release suspected duplicates for payment, before their run is approved; earlier approvals no longer count. Without --seen ' +
        'it says what would be released',
    )
    .argument('<run>', "the run's id")
    .option('--row <ref>', 'only the row with this row_ref')
    .option('--search <text>', 'only rows with this reference, line, amount, or words of the name')
    .option('--currency <code>', 'only rows that fix an amount of this currency')
    .addOption(new Option('--cause <code>', 'only rows that are suspected for this reason').choices(CODES))
    .option(
      '--seen <hash>',
      `release them: the hash of what you have seen, or its first ${SHORT_HASH} characters, from this command without it`,
    )
    .option('--reason <text>', 'why they are to be paid all the same; it answers the alarm of the approval as well')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun release RUN',
        'payrun release RUN --row INV-1 --seen 1a2b3c4d --reason "two invoices"',
        'payrun release RUN --cause same_beneficiary_and_amount --seen 5e6f7a8b --reason "salaries of November"',
      ),
    )
    .action(async (runId: string, options: ReleaseOptions) => {
      const { row = null, search = null, currency = null, cause: code = null, json } = options;
      const client = await connectToChange(io);
      const rows: SuspectQuery = { rowRef: row, q: search, currency, code };
      const suspects = await client.findSuspects({ runId, ...rows });
      if (suspects.rowCount === 0) throw new WrongInput('there is no such suspected duplicate in this run');
      if (options.seen === undefined) {
        if (json === true) await writeJson(io, suspects);
        else await writeLine(io.stdout, describeSuspects(runId, suspects));
        return;
      }
      const hash = fullHashOf(suspects, options.seen);
      const released = await client.releaseRows({ runId, rows, hash, reason: options.reason ?? '' });
      if (json === true) await writeJson(io, released);
      else await writeLine(io.stdout, describeRelease(runId, released));
    });
}

function fullHashOf({ hash }: SuspectedRows, given: string): string {
  const seen = given.trim().toLowerCase();
  if (seen.length >= SHORT_HASH && hash.startsWith(seen)) return hash;
  throw new WrongInput(
    `not released: these are other rows than those of ${printable(given)}, or they are similar to others by now; look at them again: the ` +
      `same command without --seen, which shows ${shortHash(hash)}`,
  );
}

function describeSuspects(runId: string, suspects: SuspectedRows): string {
  const { rowCount, amounts, alikeCount, similarCount, runs, hash } = suspects;
  const sums = amounts.map(({ currency, amount }) => `${currency} ${money(amount)}`).join(', ');
  const listed = runs.reduce((sum, run) => sum + run.rowCount, 0);
  return [
    `A release would pay ${counted(rowCount, 'suspected duplicate')}: ${sums}.`,
    ...(alikeCount === 0 ? [] : [`${counted(alikeCount, 'row')} of them pay the same as another one of them.`]),
    `They may repeat ${counted(similarCount, 'row')}${runs.length === 0 ? '.' : ':'}`,
    ...runs.map((run) => `    ${printable(repeatedLine(run, runId))}`),
    ...(similarCount > listed && runs.length > 0
      ? [`    … and ${counted(similarCount - listed, 'more row')}, of other accounts or not listed`]
      : []),
    `To release them, a checker other than the maker adds: --seen ${shortHash(hash)} --reason TEXT`,
  ].join('\n');
}

function repeatedLine(run: SuspectedRows['runs'][number], runId: string): string {
  const { fileName, submittedAt, rowCount, paidCount, paidAt } = run;
  const paid = paidAt === null ? 'none paid' : `${paidCount} paid, the last on ${moment(paidAt)}`;
  const which = run.runId === runId ? 'this run' : `run ${run.runId}`;
  return `${fileName}, submitted ${moment(submittedAt)}: ${counted(rowCount, 'row')}, ${paid}, ${which}`;
}

function describeRelease(runId: string, { rowCount, approvals }: ReleasedRows): string {
  const voided =
    approvals === 0 ? '' : ` ${counted(approvals, 'earlier approval')} no longer count${approvals === 1 ? 's' : ''}.`;
  return (
    `Released ${counted(rowCount, 'row')}. The run is proposed again, and is paid once it is approved.${voided}\n` +
    `To see it: ${printable(`payrun show ${runId}`)}`
  );
}

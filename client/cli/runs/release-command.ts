import type { Command } from 'commander';
import type { ReleasedRow, SimilarRows } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { SHORT_HASH, shortHash } from '../approvals/content-hash.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted, words } from '../wording.ts';

interface ReleaseOptions {
  row: string;
  similarHash: string;
  reason: string;
  json?: boolean;
}

export function addReleaseCommand(program: Command, io: CommandIo): void {
  program
    .command('release')
    .description(
      'release a suspected duplicate for payment, before its run is approved; earlier approvals no longer count',
    )
    .argument('<run>', "the run's id")
    .requiredOption('--row <ref>', 'the row_ref of the row')
    .requiredOption(
      '--similar-hash <hash>',
      `the hash of the similar rows that you have seen, or its first ${SHORT_HASH} characters, from \`show --row\``,
    )
    .requiredOption('--reason <text>', 'why it is not a duplicate, or is to be paid anyway')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun release RUN --row INV-1 --similar-hash 1a2b3c4d --reason "two invoices"'))
    .action(async (runId: string, { row: rowRef, similarHash: given, reason, json }: ReleaseOptions) => {
      const client = await connectToChange(io);
      const at = { runId, rowRef };
      const { similar, state } = await client.getRow(at);
      if (similar === null) {
        throw new WrongInput(`only a suspected duplicate can be released: row ${printable(rowRef)} is ${words(state)}`);
      }
      const similarHash = fullHashOf(similar, given, at);
      const released = await client.releaseRow({ ...at, similarHash, reason });
      if (json === true) await writeJson(io, released);
      else await writeLine(io.stdout, describeRelease(runId, released));
    });
}

function fullHashOf({ hash }: SimilarRows, given: string, at: { runId: string; rowRef: string }): string {
  const seen = given.trim().toLowerCase();
  if (seen.length >= SHORT_HASH && hash.startsWith(seen)) return hash;
  throw new WrongInput(
    `not released: the row is now similar to other rows than those of ${printable(given)}; look at it again with ` +
      `'${printable(`payrun show ${at.runId} --row ${at.rowRef}`)}', which shows ${shortHash(hash)}`,
  );
}

function describeRelease(runId: string, { row, approvals }: ReleasedRow): string {
  const voided =
    approvals === 0 ? '' : ` ${counted(approvals, 'earlier approval')} no longer count${approvals === 1 ? 's' : ''}.`;
  return (
    `Released: the row ${printable(row.rowRef)} is ${words(row.state)}. The run is proposed again, and is paid once it is ` +
    `approved.${voided}\nTo see it: ${printable(`payrun show ${runId}`)}`
  );
}

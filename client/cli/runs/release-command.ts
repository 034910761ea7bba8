import type { Command } from 'commander';
import type { ReleasedRow, SimilarRows } from '../../../application/runs/row-detail.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { SHORT_HASH, shortHash } from '../approvals/content-hash.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { counted, words } from '../wording.ts';

interface ReleaseOptions {
  row: string;
  similar: string;
  reason: string;
  json?: boolean;
}

export function addReleaseCommand(program: Command, io: CommandIo): void {
  program
    .command('release')
    .description('release a suspected duplicate, so that it is paid with its run, which is then to be approved again')
    .argument('<run>', "the run's id")
    .requiredOption('--row <ref>', 'the row_ref of the row')
    .requiredOption(
      '--similar <hash>',
      `the similar rows that you have seen: the first ${SHORT_HASH} characters, as \`show --row\` gives them`,
    )
    .requiredOption('--reason <text>', 'why it is to be paid all the same')
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, { row: rowRef, similar: given, reason, json }: ReleaseOptions) => {
      const client = await connectToChange(io);
      const at = { runId, rowRef };
      const { similar, state } = await client.getRow(runId, rowRef);
      if (similar === null) {
        throw new WrongInput(`only a suspected duplicate is released: row ${printable(rowRef)} is ${words(state)}`);
      }
      const released = await client.releaseRow(at, { similarHash: hashOfSeen(similar, given, at), reason });
      if (json === true) await writeJson(io, released);
      else await writeLine(io.stdout, said(runId, released));
    });
}

function hashOfSeen({ hash }: SimilarRows, given: string, at: { runId: string; rowRef: string }): string {
  const seen = given.trim().toLowerCase();
  if (seen.length >= SHORT_HASH && hash.startsWith(seen)) return hash;
  throw new WrongInput(
    `not released: it is similar to other rows than those of ${printable(given)}; look at it again with ` +
      `'${printable(`payrun show ${at.runId} --row ${at.rowRef}`)}', which gives ${shortHash(hash)}`,
  );
}

function said(runId: string, { row, approvals }: ReleasedRow): string {
  const voided =
    approvals === 0 ? '' : ` ${counted(approvals, 'approval')} from before count${approvals === 1 ? 's' : ''} no more.`;
  return (
    `Released: the row ${printable(row.rowRef)} is ${words(row.state)}. The run is proposed again, and is paid once it is ` +
    `approved.${voided}\nLook at it: ${printable(`payrun show ${runId}`)}`
  );
}

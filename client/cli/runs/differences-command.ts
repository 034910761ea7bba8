import type { Command } from 'commander';
import { changeInPercent, DIFFERENCE_IN_WORDS, differencesInWords } from '../../../domain/runs/run-difference.ts';
import { SIDE_IN_WORDS } from '../../../domain/runs/run-proposal.ts';
import type { RunDifferences } from '../../sdk/index.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment, money } from '../wording.ts';

type Difference = RunDifferences['differences'][number];

export function addDifferencesCommand(program: Command, io: CommandIo): void {
  program
    .command('differences')
    .description('show how a run differs from the last paid run of its kind: payees, accounts and amounts')
    .argument('<run>', "the run's id")
    .option('--after <cursor>', 'the page after this one')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun differences RUN'))
    .action(async (runId: string, { after, json }: { after?: string; json?: boolean }) => {
      const client = await connect(io);
      const found = await client.getDifferences({ runId, ...(after === undefined ? {} : { after }) });
      await (json === true ? writeJson(io, found) : writeLine(io.stdout, renderDifferences(found, runId)));
    });
}

export function renderDifferences({ comparedWith, counts, differences, next }: RunDifferences, runId: string): string {
  if (comparedWith === null) return 'No run of its kind was paid before.';
  const heading = printable(
    `Compared with ${comparedWith.fileName} of ${moment(comparedWith.submittedAt)} (${comparedWith.runId}): ${differencesInWords(counts)}`,
  );
  if (differences.length === 0) return heading;
  const table = textTable(
    [
      ...['Difference', 'Beneficiary', 'Currency'].map((title) => ({ title })),
      ...['Before', 'Rows', 'Now', 'Rows', 'Change'].map((title) => ({ title, align: 'right' as const })),
    ],
    differences.map(rowOf),
  );
  const more = next === null ? [] : [`More: payrun differences ${printable(runId)} --after ${next}`];
  return [heading, '', table, ...more].join('\n');
}

function rowOf({ kind, beneficiary, currency, side, before, now }: Difference): string[] {
  const sum = (of: Difference['now']): string[] => (of === null ? ['', ''] : [money(of.amount), String(of.rows)]);
  return [
    DIFFERENCE_IN_WORDS[kind],
    printable(beneficiary ?? '(not readable)'),
    `${currency} ${SIDE_IN_WORDS[side]}`,
    ...sum(before),
    ...sum(now),
    before === null || now === null ? '' : (changeInPercent(before.amount, now.amount) ?? ''),
  ];
}

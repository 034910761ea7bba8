import { type Command, Option } from 'commander';
import type { CostGroup, CostReport } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { textTable } from '../text-table.ts';
import { count, money } from '../wording.ts';

interface CostOptions {
  from: string;
  to: string;
  by: 'currency' | 'run';
  account?: string;
  json?: boolean;
}

export function addCostsCommand(program: Command, io: CommandIo): void {
  program
    .command('costs')
    .description(
      'show what payments and conversions have cost: fees, and the exchange against the reference rate of the day',
    )
    .requiredOption('--from <day>', 'the first day, as 2026-01-01')
    .requiredOption('--to <day>', 'the last day, as 2026-01-31')
    .addOption(new Option('--by <what>', 'one line for each').choices(['currency', 'run']).default('currency'))
    .option('--account <name>', 'only of this account of the provider')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun costs --from 2026-01-01 --to 2026-01-31 --by run'))
    .action(async ({ from, to, by, account, json }: CostOptions) => {
      const report = await (await connect(io)).readCosts({ from, to, by, account: account ?? null });
      await (json === true ? writeJson(io, report) : writeLine(io.stdout, renderCosts(report)));
    });
}

function renderCosts({ from, to, groups }: CostReport): string {
  if (groups.length === 0) return `Nothing was funded from ${from} to ${to}.`;
  const table = textTable(
    [
      { title: 'What' },
      { title: 'Number', align: 'right' },
      { title: 'Currency' },
      { title: 'Total', align: 'right' },
      { title: 'Fees', align: 'right' },
      { title: 'Exchange', align: 'right' },
      { title: 'Basis points', align: 'right' },
    ],
    groups.map((group) => [
      nameOf(group),
      count(group.count),
      group.currency,
      money(group.total),
      money(group.fees),
      money(group.exchangeCost),
      group.costBps ?? '–',
    ]),
  );
  const missing = groups.reduce((sum, { withoutReference }) => sum + withoutReference, 0);
  return missing === 0
    ? table
    : `${table}\n${count(missing)} without a reference rate of their day: of these only the fees are known (PAYRUN_REFERENCE_RATES).`;
}

function nameOf({ of, runId, fileName }: CostGroup): string {
  return runId === null ? of : `run ${runId} (${fileName ?? ''})`;
}

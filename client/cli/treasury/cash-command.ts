import type { Command } from 'commander';
import type { AccountCash } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { money } from '../wording.ts';

interface CashOptions {
  account?: string;
  currency?: string;
  days: string;
  expect?: string[];
  json?: boolean;
}

const MAX_DAYS = 90;
const EXPECTED = /^[A-Z]{3}:\d{1,15}(\.\d{1,4})?:\d{4}-\d{2}-\d{2}$/;

export function addCashCommand(treasury: Command, io: CommandIo): void {
  treasury
    .command('cash')
    .description('show what will be free in each currency, day by day, by approved runs and active schedules')
    .option('--account <name>', 'only this account of the provider')
    .option('--currency <code>', 'only this currency')
    .option('--days <count>', 'how many days', '30')
    .option('--expect <money...>', 'money that you expect, as EUR:1000.00:2026-12-01; it is not stored')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun treasury cash', 'payrun treasury cash --expect EUR:50000.00:2026-12-01'))
    .action(async ({ account, currency, days, expect = [], json }: CashOptions) => {
      if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS) {
        throw new WrongInput(`--days: give a whole number from 1 to ${MAX_DAYS}`);
      }
      const wrong = expect.find((money) => !EXPECTED.test(money));
      if (wrong !== undefined) {
        throw new WrongInput('--expect: give currency:amount:date, as EUR:1000.00:2026-12-01');
      }
      const view = await (await connect(io)).viewCash({
        account: account ?? null,
        currency: currency?.toUpperCase() ?? null,
        days: Number(days),
        expect: expect.join(','),
      });
      await (json === true ? writeJson(io, view) : writeLine(io.stdout, renderCash(view.accounts)));
    });
}

function renderCash(accounts: readonly AccountCash[]): string {
  if (accounts.length === 0) return 'There is no account that you may use.';
  return accounts.map(renderAccount).join('\n\n');
}

function renderAccount({ account, dates, currencies, withoutConversion, warnings }: AccountCash): string {
  const short = currencies.filter(({ firstShortage }) => firstShortage !== null);
  return [
    printable(`Account ${account}: free at the end of each day, as a forecast`),
    currencies.length === 0
      ? 'No balance is known yet.'
      : textTable(
          [{ title: 'Day' }, ...currencies.map(({ currency }) => ({ title: currency, align: 'right' as const }))],
          [
            ['now', ...currencies.map(({ free }) => money(free))],
            // A day without any change says nothing.
            ...dates.flatMap((date, index) =>
              index > 0 && currencies.every(({ balances }) => balances[index] === balances[index - 1])
                ? []
                : [[date, ...currencies.map(({ balances }) => money(balances[index] ?? ''))]],
            ),
          ],
        ),
    ...short.map(({ currency, firstShortage }) => `SHORT of ${currency} from ${firstShortage ?? ''} on`),
    ...withoutConversion.map(({ on, schedule, message }) =>
      printable(`${on}: ${schedule} converts nothing: ${message}`),
    ),
    ...warnings.map((warning) => printable(`Note: ${warning}`)),
  ].join('\n');
}

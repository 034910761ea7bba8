import type { AccountCash } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { money } from '../wording.ts';

export function renderCash(accounts: readonly AccountCash[]): string {
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

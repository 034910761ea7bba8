import type { AccountBalances, Balance } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { duration, moment, money } from '../wording.ts';

/** The balances of each account as a table. */
export function renderBalances(accounts: readonly AccountBalances[]): string {
  if (accounts.length === 0) return 'There is no such account.';
  return accounts.map(renderAccount).join('\n\n');
}

function renderAccount({ account, historyReadAt, historyFrom, balances }: AccountBalances): string {
  const history =
    historyReadAt === null
      ? 'Its history was not read yet: it is read now, so look again in a moment.'
      : `Its history was last read on ${moment(historyReadAt)}, and is known since ${moment(historyFrom ?? historyReadAt)}.`;
  const title = `Account ${printable(account)}. ${history}`;
  if (balances.length === 0) return `${title}\nNo balance is known.`;
  const table = textTable(
    [
      { title: 'Currency' },
      { title: 'Balance', align: 'right' },
      { title: 'Read' },
      { title: 'By its history', align: 'right' },
      { title: 'Committed', align: 'right' },
      { title: 'Free', align: 'right' },
      { title: 'Last entry' },
      { title: 'History' },
    ],
    balances.map((balance) => [
      balance.currency,
      amountOrNone(balance.amount),
      balance.ageSeconds === null ? '' : `${duration(balance.ageSeconds)} ago`,
      amountOrNone(balance.amountByHistory),
      amountOrNone(balance.committed),
      amountOrNone(balance.free),
      balance.lastEntryAt === null ? '' : moment(balance.lastEntryAt),
      historyOf(balance),
    ]),
  );
  return [title, table, ...balances.flatMap(alarmsOf)].join('\n');
}

function alarmsOf({ currency, alarms }: Balance): string[] {
  return alarms.map(({ kind, amount, ledgerAccount, raisedAt }) => {
    const what =
      kind === 'free_negative'
        ? `others than payrun have taken ${currency} ${money(amount.replace('-', ''))} more than was free: payments may be refused`
        : `no entry of the history has the amount of ${printable(ledgerAccount)}, ${currency} ${money(amount)}, which has ended`;
    return `! ${moment(raisedAt)}: ${what}`;
  });
}

function amountOrNone(amount: string | null): string {
  return amount === null ? '–' : money(amount);
}

function historyOf({ historyStatus, missingSince }: Balance): string {
  switch (historyStatus) {
    case 'complete':
      return 'complete';
    case 'missing_entries':
      return 'an entry is missing; it is looked for';
    case 'abandoned':
      return `entries are missing since ${moment(missingSince ?? '')}: ask the provider for them`;
    case 'no_entries':
      return 'no entry yet';
  }
}

import type { AccountBalances, Balance, HistoryEntry, LedgerBalance, LedgerTransfer } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { duration, exactMoment, moment, money, words } from '../wording.ts';

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
  return alarms.map((alarm) => `! ${moment(alarm.raisedAt)}: ${alarmOf(currency, alarm)}`);
}

function alarmOf(currency: string, { kind, amount, ledgerAccount }: Balance['alarms'][number]): string {
  const taken = `${currency} ${money(amount.replace('-', ''))}`;
  switch (kind) {
    case 'free_negative':
      return `others than payrun have taken ${taken} more than was free: payments may be refused`;
    case 'debit_not_found':
      return `no entry of the history has the amount of ${printable(ledgerAccount)}, ${taken}, which has ended`;
    case 'debit_of_unpaid':
      return `${taken} was taken for ${printable(ledgerAccount)}, whose state says that it is not paid: do not pay it again before it is clear`;
  }
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

/** Entries of the history as a table. `hasMore`: there are older ones. */
export function renderHistory(entries: readonly HistoryEntry[], hasMore: boolean): string {
  if (entries.length === 0) return 'There are no such entries.';
  const table = textTable(
    [
      { title: 'Date (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Currency' },
      { title: 'Change', align: 'right' },
      { title: 'Balance after', align: 'right' },
      { title: 'Type', maxWidth: 24 },
      { title: 'Transaction', maxWidth: 24 },
      { title: 'Place' },
    ],
    entries.map((entry) => [
      exactMoment(entry.at),
      entry.account,
      entry.currency,
      money(entry.change),
      money(entry.after),
      entry.type,
      entry.transactionId ?? '',
      placeOf(entry),
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more, --from and --to others` : table;
}

function placeOf({ position, disregarded }: HistoryEntry): string {
  if (position !== null) return String(position);
  return disregarded === null ? 'an entry before it is missing' : `does not count: ${words(disregarded)}`;
}

/** Ledger accounts with their balances, then transfers. `hasMore`: there are older transfers. */
export function renderLedger(
  balances: readonly LedgerBalance[],
  transfers: readonly LedgerTransfer[],
  hasMore: boolean,
): string {
  if (balances.length === 0 && transfers.length === 0) return 'The ledger has no balance and no transfer of this.';
  return [renderHolders(balances), renderTransfers(transfers, hasMore)].filter((part) => part !== '').join('\n\n');
}

function renderHolders(balances: readonly LedgerBalance[]): string {
  if (balances.length === 0) return '';
  return textTable(
    [
      { title: 'Account', maxWidth: 20 },
      { title: 'Currency' },
      { title: 'Ledger account' },
      { title: 'Amount', align: 'right' },
      { title: 'Note', maxWidth: 40 },
    ],
    balances.map((balance) => [
      balance.account,
      balance.currency,
      balance.ledgerAccount,
      money(balance.amount),
      noteOn(balance),
    ]),
  );
}

function noteOn({ rowRef, shortBy, ledgerAccount }: LedgerBalance): string {
  if (ledgerAccount === 'outside') return 'negative: the balance with the provider';
  if (rowRef !== null) return `row ${rowRef}`;
  return shortBy === null ? '' : `lacks ${money(shortBy)}`;
}

function renderTransfers(transfers: readonly LedgerTransfer[], hasMore: boolean): string {
  if (transfers.length === 0) return '';
  const table = textTable(
    [
      { title: 'When (UTC)' },
      { title: 'Currency' },
      { title: 'From' },
      { title: 'To' },
      { title: 'Amount', align: 'right' },
      { title: 'Reason' },
      { title: 'Cause', maxWidth: 60 },
    ],
    transfers.map((transfer) => [
      exactMoment(transfer.at),
      transfer.currency,
      transfer.debit,
      transfer.credit,
      money(transfer.amount),
      words(transfer.reason),
      transfer.cause,
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more` : table;
}

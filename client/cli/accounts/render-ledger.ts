import type { LedgerBalance, LedgerTransfer } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { exactMoment, money, words } from '../wording.ts';

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

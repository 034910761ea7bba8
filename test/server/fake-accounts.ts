import {
  type AccountBalances,
  type BalanceQuery,
  type HistoryEntry,
  type HistoryPage,
  type HistoryQuery,
  pageEndOf,
} from '../../api/accounts/balance.ts';
import type { LedgerPage, LedgerQuery } from '../../api/accounts/ledger.ts';
import type {
  Deposit,
  DepositList,
  DepositQuery,
  Funding,
  FundingList,
  FundingQuery,
  Receipt,
  ReceiptAssignment,
  ReceiptList,
  ReceiptQuery,
} from '../../api/accounts/receipt.ts';
import type {
  NewVirtualAccount,
  NewVirtualAccountProposal,
  VirtualAccount,
  VirtualAccountOutcomeRejection,
  VirtualAccountList,
  VirtualAccountQuery,
} from '../../api/accounts/virtual-account.ts';
import type { Refund, RefundList, RefundQuery } from '../../api/accounts/refund.ts';
import type { AccountsApplication } from '../../application/accounts/use-cases.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { FakeSchedules } from './fake-schedules.ts';

/** Balances and their history over plain memory. */
export class FakeAccounts extends FakeSchedules implements AccountsApplication {
  balances: AccountBalances[] = [];
  entries: HistoryEntry[] = [];
  ledger: Pick<LedgerPage, 'balances' | 'transfers'> = { balances: [], transfers: [] };
  refunds: Refund[] = [];
  deposits: Deposit[] = [];
  fundings: Funding[] = [];
  receipts: Receipt[] = [];
  readonly assigned: ReceiptAssignment[] = [];
  readonly historyQueries: HistoryQuery[] = [];

  async listBalances(user: SignedIn, { account }: BalanceQuery): Promise<AccountBalances[]> {
    await this.meet('listBalances');
    return this.balances.filter((one) => mayUse(user, one.account) && (account === null || one.account === account));
  }

  async readLedger(user: SignedIn, { limit, after }: LedgerQuery): Promise<LedgerPage> {
    await this.meet('readLedger');
    const { balances, transfers } = this.ledger;
    const mine = transfers.filter(({ account, transferId }) => mayUse(user, account) && transferId < after);
    const shown = mine.slice(0, limit);
    return {
      balances: balances.filter(({ account }) => mayUse(user, account)),
      transfers: shown,
      nextAfter: mine.length > limit ? (shown.at(-1)?.transferId ?? null) : null,
    };
  }

  async listRefunds(user: SignedIn, { state, limit }: RefundQuery): Promise<RefundList> {
    await this.meet('listRefunds');
    const mine = this.refunds.filter((one) => mayUse(user, one.account) && (state === null || one.state === state));
    return { refunds: mine.slice(0, limit), hasMore: mine.length > limit };
  }

  async listDeposits(user: SignedIn, { state, limit }: DepositQuery): Promise<DepositList> {
    await this.meet('listDeposits');
    const mine = this.deposits.filter((one) => mayUse(user, one.account) && (state === null || one.state === state));
    return { deposits: mine.slice(0, limit), hasMore: mine.length > limit };
  }

  async listFundings(user: SignedIn, { status, limit }: FundingQuery): Promise<FundingList> {
    await this.meet('listFundings');
    const mine = this.fundings.filter((one) => mayUse(user, one.account) && (status === null || one.status === status));
    return { fundings: mine.slice(0, limit), hasMore: mine.length > limit };
  }

  async listReceipts(user: SignedIn, { all, limit }: ReceiptQuery): Promise<ReceiptList> {
    await this.meet('listReceipts');
    const mine = this.receipts.filter((one) => mayUse(user, one.account) && (all || one.explainedBy === null));
    return { receipts: mine.slice(0, limit), hasMore: mine.length > limit };
  }

  async assignReceipt(_user: SignedIn, assignment: ReceiptAssignment): Promise<void> {
    await this.meet('assignReceipt');
    this.assigned.push(assignment);
  }

  readonly virtualAccounts: VirtualAccount[] = [];
  readonly virtualCalls: unknown[] = [];

  async requestVirtualAccount(_user: SignedIn, order: NewVirtualAccount): Promise<VirtualAccount> {
    return this.virtualCall('requestVirtualAccount', order);
  }

  async listVirtualAccounts(user: SignedIn, { limit }: VirtualAccountQuery): Promise<VirtualAccountList> {
    await this.meet('listVirtualAccounts');
    const mine = this.virtualAccounts.filter(({ account }) => mayUse(user, account));
    return { virtualAccounts: mine.slice(0, limit), hasMore: mine.length > limit };
  }

  async findVirtualAccount(_user: SignedIn, virtualAccountId: string): Promise<VirtualAccount> {
    return this.virtualCall('findVirtualAccount', virtualAccountId);
  }

  async proposeVirtualAccount(_user: SignedIn, _id: string, said: NewVirtualAccountProposal): Promise<VirtualAccount> {
    return this.virtualCall('proposeVirtualAccount', said);
  }

  async confirmVirtualAccount(
    _user: SignedIn,
    _id: string,
    seen: { manualOutcomeId: string },
  ): Promise<VirtualAccount> {
    return this.virtualCall('confirmVirtualAccount', seen);
  }

  async rejectVirtualAccount(
    _user: SignedIn,
    _id: string,
    rejection: VirtualAccountOutcomeRejection,
  ): Promise<VirtualAccount> {
    return this.virtualCall('rejectVirtualAccount', rejection);
  }

  private async virtualCall(name: keyof AccountsApplication, given: unknown): Promise<VirtualAccount> {
    await this.meet(name);
    this.virtualCalls.push(given);
    const [first] = this.virtualAccounts;
    if (first === undefined) throw new ApplicationError('not_found', 'there is no such virtual account');
    return first;
  }

  async listHistory(user: SignedIn, query: HistoryQuery): Promise<HistoryPage> {
    await this.meet('listHistory');
    this.historyQueries.push(query);
    const mine = this.entries.filter(({ account }) => mayUse(user, account));
    const start = query.after === null ? 0 : mine.findIndex(({ entryId }) => entryId === query.after?.entryId) + 1;
    const entries = mine.slice(start, start + query.limit);
    const last = start + query.limit < mine.length ? entries.at(-1) : undefined;
    return { entries, nextAfter: last === undefined ? null : pageEndOf(last) };
  }
}

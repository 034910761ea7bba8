import {
  type AccountBalances,
  balanceListSchema,
  type HistoryEntry,
  type HistoryPage,
  historyPageSchema,
} from '../../api/accounts/balance.ts';
import { type LedgerPage, ledgerPageSchema } from '../../api/accounts/ledger.ts';
import { type Refund, type RefundList, refundListSchema } from '../../api/accounts/refund.ts';
import {
  type Deposit,
  type DepositList,
  depositListSchema,
  type FundingList,
  fundingListSchema,
  type ReceiptAssignment,
  type ReceiptList,
  receiptListSchema,
} from '../../api/accounts/receipt.ts';
import {
  type ActionableVirtualAccount,
  actionableVirtualAccountSchema,
  type VirtualAccount,
  type VirtualAccountList,
  virtualAccountListSchema,
  type VirtualAccountProposal,
  type VirtualAccountRequest,
  virtualAccountSchema,
} from '../../api/accounts/virtual-account.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

/** Which balances and entries; null or absent: all. */
export interface AccountFilter {
  /** The name of an account with the provider. */
  account?: string | null;
  currency?: string | null;
}

/** Days (YYYY-MM-DD, the last one included) or times (the last one excluded), UTC. */
export interface HistoryFilter extends AccountFilter {
  from?: string | null;
  to?: string | null;
}

export interface LedgerFilter extends AccountFilter {
  /** The id of a run: only its ledger account, and those of its payments. */
  run?: string | null;
  limit?: number;
  after?: number;
}

export interface RefundFilter extends AccountFilter {
  /** The id of a run: only refunds of its payments. */
  run?: string | null;
  state?: RefundState | null;
  limit?: number;
}

export interface DepositFilter {
  account?: string | null;
  state?: Deposit['state'] | null;
  limit?: number;
}

export interface FundingFilter extends AccountFilter {
  status?: string | null;
  limit?: number;
}

export interface ReceiptFilter extends AccountFilter {
  /** Also those that something explains. */
  all?: boolean;
  limit?: number;
}

/** `expected`: the provider shows it, and the history does not show its money yet. */
export type RefundState = Refund['state'];

/** Accounts that others pay into. A number is given out only once the state is `approved`. */
export interface VirtualAccountCalls {
  /** It is sent once, and may stay `unknown` if it is not answered. */
  request(order: VirtualAccountRequest): Promise<VirtualAccount>;
  list(filter?: { account?: string | null; limit?: number }): Promise<VirtualAccountList>;
  /** With what the user may do with it. */
  get(virtualAccountId: string): Promise<ActionableVirtualAccount>;
  /** Says what became of a request; a second person confirms it. */
  proposeResolution(virtualAccountId: string, proposal: VirtualAccountProposal): Promise<VirtualAccount>;
  confirmResolution(virtualAccountId: string, resolutionId: string): Promise<VirtualAccount>;
  denyResolution(virtualAccountId: string, resolutionId: string, reason?: string | null): Promise<VirtualAccount>;
}

/** Balances with the provider and their history, and what the money is meant for. */
export interface AccountCalls {
  readonly accounts: {
    /** Has the history read again if it is old: later answers show the result. */
    balances(filter?: AccountFilter): Promise<AccountBalances[]>;
    /** The newest first; pages are fetched as the entries are read. */
    history(filter?: HistoryFilter): AsyncIterable<HistoryEntry>;
    /** Ledger accounts with their balances, and transfers, the newest first. `nextAfter` is `after` of the next page. */
    ledger(filter?: LedgerFilter): Promise<LedgerPage>;
    /** Money that came back, or is expected to; the newest first. */
    refunds(filter?: RefundFilter): Promise<RefundList>;
    /** What notifications reported; `confirmed` once the history has the money. */
    deposits(filter?: DepositFilter): Promise<DepositList>;
    fundings(filter?: FundingFilter): Promise<FundingList>;
    /** Money that came in and that nothing explains; the newest first. */
    receipts(filter?: ReceiptFilter): Promise<ReceiptList>;
    /** Says what a receipt is: the money of a refund, or something that payrun does not know. */
    assignReceipt(assignment: ReceiptAssignment): Promise<void>;
    readonly virtual: VirtualAccountCalls;
  };
}

const PAGE_SIZE = 500;

export function accountCalls(call: JsonCaller): AccountCalls {
  return {
    accounts: {
      balances: async (filter = {}) =>
        (await call(balanceListSchema, { path: '/accounts/balances', query: { ...filter } })).accounts,
      history: (filter = {}) => allEntries(call, filter),
      ledger: (filter = {}) => call(ledgerPageSchema, { path: '/accounts/ledger', query: { ...filter } }),
      refunds: (filter = {}) => call(refundListSchema, { path: '/accounts/refunds', query: { ...filter } }),
      deposits: (filter = {}) => call(depositListSchema, { path: '/accounts/deposits', query: { ...filter } }),
      fundings: (filter = {}) => call(fundingListSchema, { path: '/accounts/fundings', query: { ...filter } }),
      receipts: ({ all = false, ...filter } = {}) =>
        call(receiptListSchema, { path: '/accounts/receipts', query: { ...filter, all: String(all) } }),
      assignReceipt: async (body) => {
        await call(NO_CONTENT, { method: 'POST', path: '/accounts/receipts/assign', body });
      },
      virtual: virtualAccountCalls(call),
    },
  };
}

function virtualAccountCalls(call: JsonCaller): VirtualAccountCalls {
  const path = '/accounts/virtual';
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;
  const post = (to: string, body: object) => call(virtualAccountSchema, { method: 'POST', path: to, body });
  return {
    request: (order) => post(path, order),
    list: (filter = {}) => call(virtualAccountListSchema, { path, query: { ...filter } }),
    get: (id) => call(actionableVirtualAccountSchema, { path: pathOf(id) }),
    proposeResolution: (id, proposal) => post(`${pathOf(id)}/resolution`, proposal),
    confirmResolution: (id, resolutionId) => post(`${pathOf(id)}/resolution/confirm`, { resolutionId }),
    denyResolution: (id, resolutionId, reason = null) =>
      post(`${pathOf(id)}/resolution/deny`, { resolutionId, reason }),
  };
}

async function* allEntries(call: JsonCaller, filter: HistoryFilter): AsyncGenerator<HistoryEntry> {
  let after: string | null = null;
  do {
    const query: Record<string, string | number | null> = { limit: PAGE_SIZE, after, ...filter };
    const page: HistoryPage = await call(historyPageSchema, { path: '/accounts/history', query });
    yield* page.entries;
    after = page.nextAfter;
  } while (after !== null);
}

import { randomUUID } from 'node:crypto';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import { readTimestamp } from '../../provider/calls/answer-fields.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { noteRange } from '../../store/accounts/history-ranges.ts';
import { releaseEndedCommitments } from '../../store/accounts/ledger.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { beginRequest, recordAnswer } from '../../store/payments/payment-requests.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun } from './a-stored-run.ts';
import { LedgerView } from './ledger-view.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

type Shown = Parameters<typeof storeHistory>[2][number];

/** What a payment is at the provider. */
export interface PaymentThere {
  paymentId: string;
  total: number;
  fee: number;
  isDebited: boolean;
}

/** A provider's balance in one currency, whose history becomes visible late, and payrun's record of it. */
export class LedgerWorld extends LedgerView {
  readonly #testDatabase: TestDatabase;
  readonly runs: { runId: string; paymentIds: string[] }[] = [];
  readonly payments = new Map<string, PaymentThere>();
  readonly #amounts = new Map<string, number>();
  /** The provider's history; the first `seen` entries were shown. */
  readonly entries: (Shown & { isOurs: boolean })[] = [];
  seen = 0;
  balance = 0;

  constructor(testDatabase: TestDatabase, currency: string) {
    super(testDatabase.database, currency);
    this.#testDatabase = testDatabase;
  }

  /** Money that payrun has sent, or that comes from outside. */
  change(
    change: number,
    { isOurs = false, transactionId = null as string | null, date = new Date().toISOString() } = {},
  ): void {
    const before = this.balance;
    this.balance += change;
    this.entries.push({
      id: randomUUID(),
      balanceId: null,
      amountBefore: String(before),
      amountAfter: String(this.balance),
      currency: this.currency,
      totalAmount: String(Math.abs(change)),
      transactionId,
      transactionType: '',
      date: { raw: date, epochMs: readTimestamp(date).epochMs ?? NaN },
      isOurs,
    });
  }

  /** Shows all but the newest entries, in reverse order, and the last ones that were shown before once more. */
  async readHistory({ hiding = 0 } = {}): Promise<void> {
    const { asWorker } = this.#testDatabase;
    const from = Math.max(0, this.seen - 20);
    this.seen = Math.max(this.seen, this.entries.length - hiding);
    const shown = this.entries.slice(from, this.seen).toReversed();
    const readAt = await beginReading(asWorker);
    await storeHistory(asWorker, { account: ACCOUNT, isGapRead: false }, shown);
    const [fromMs, toMs, counts] = [
      Date.now() - 1_000,
      Date.now(),
      { entries: 0, added: 0, unreadable: 0, conflicting: 0 },
    ];
    await noteRange(asWorker, { account: ACCOUNT, fromMs, toMs, isGap: false, readAt, ...counts });
    await releaseEndedCommitments(asWorker, ACCOUNT);
  }

  /** Our debits that are in no answer yet. */
  get unseenDebits(): number {
    return this.entries
      .slice(this.seen)
      .filter(({ isOurs }) => isOurs)
      .reduce((sum, entry) => sum + Number(entry.amountBefore) - Number(entry.amountAfter), 0);
  }

  get hasUnseenOfOthers(): boolean {
    return this.entries.slice(this.seen).some(({ isOurs }) => !isOurs);
  }

  async approveRun(amounts: readonly number[], parts: Partial<PaymentInstruction> = {}): Promise<string> {
    const { database } = this.#testDatabase;
    const run = await anApprovedRun(database, amounts.length, (n) => ({
      sellCurrency: this.currency,
      amount: `${amounts[n - 1] ?? 0}.00`,
      ...parts,
    }));
    this.runs.push(run);
    for (const [index, paymentId] of run.paymentIds.entries()) this.#amounts.set(paymentId, amounts[index] ?? 0);
    return run.runId;
  }

  async stateOf(paymentId: string): Promise<PaymentState> {
    const { rows } = await this.#testDatabase.database.query<{ state: PaymentState }>(
      'select state from payments where payment_id = $1',
      [paymentId],
    );
    return rows[0]?.state ?? 'invalid';
  }

  /** Quotes a ready payment with a fee, and creates it. */
  async create(paymentId: string, fee: number, outcome: 'took_effect' | 'refused' | 'open'): Promise<void> {
    const { database, asWorker } = this.#testDatabase;
    // Quotes are not what is tested.
    await bypassTriggers(
      database,
      `update payments set state = 'quoted', sell_amount = amount, total_amount = amount + $2, quoted_at = now() where payment_id = $1`,
      [paymentId, fee],
    );
    const intent = {
      paymentId,
      operation: 'create',
      whileIn: ['quoted'],
      at: new Date('2026-01-31'),
      dataKeys: TEST_KEY_IDS,
    } as const;
    const { requestId } = await beginRequest(asWorker, intent);
    if (requestId === null) return;
    this.payments.set(paymentId, {
      paymentId,
      total: (this.#amounts.get(paymentId) ?? 0) + fee,
      fee,
      isDebited: false,
    });
    if (outcome === 'open') return;
    const to = outcome === 'refused' ? 'ready' : 'created';
    const update = outcome === 'refused' ? {} : { provider_payment_id: randomUUID() };
    const answer = outcome === 'refused' ? 'refused' : 'as_asked';
    const transition = { to, update } as const;
    await recordAnswer(asWorker, { requestId, operation: 'create', outcome, answer, httpStatus: 200, transition });
  }

  async resolveCreation(paymentId: string, hadEffect: boolean): Promise<void> {
    const requestId = await this.#openRequest(paymentId, 'create');
    if (requestId === null) return;
    await resolveOpenRequest(this.#testDatabase.asWorker, {
      requestId,
      outcome: hadEffect ? 'took_effect' : 'not_seen',
      to: hadEffect ? 'created' : 'ready',
      update: hadEffect ? { provider_payment_id: randomUUID() } : {},
    });
  }

  /** Funds a created payment. Answers `refused_for_money` when the provider had less than the ledger. */
  async fund(
    paymentId: string,
    answer: 'answered' | 'lost' | 'no_effect',
    legs: 'one' | 'two' | 'apart' = 'one',
  ): Promise<'funded' | 'not_begun' | 'refused_for_money' | 'no_effect'> {
    const { asWorker, database } = this.#testDatabase;
    await database.query(
      `update payments set funds_seen_at = clock_timestamp() where payment_id = $1 and state = 'awaiting_funds'`,
      [paymentId],
    );
    const intent = {
      paymentId,
      operation: 'fund',
      whileIn: ['created', 'awaiting_funds'],
      at: new Date('2026-01-31'),
      dataKeys: TEST_KEY_IDS,
    } as const;
    const { requestId } = await beginRequest(asWorker, intent);
    const there = this.payments.get(paymentId);
    if (requestId === null || there === undefined) {
      await asWorker.query('select await_funds($1)', [paymentId]);
      return 'not_begun';
    }
    if (this.balance < there.total) {
      await resolveOpenRequest(asWorker, { requestId, outcome: 'refused', to: 'awaiting_funds', update: {} });
      return 'refused_for_money';
    }
    const transition = { to: null };
    if (answer === 'no_effect') {
      await recordAnswer(asWorker, {
        requestId,
        operation: 'fund',
        outcome: 'not_seen',
        answer: 'unknown_outcome',
        httpStatus: 503,
        transition,
      });
      return 'no_effect';
    }
    this.#debit(there, legs);
    if (answer === 'lost') return 'funded';
    await recordAnswer(asWorker, {
      ...{ requestId, operation: 'fund', outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 },
      transition: { to: 'funded', update: { funded_at: new Date() } },
    });
    return 'funded';
  }

  #debit(there: PaymentThere, legs: 'one' | 'two' | 'apart'): void {
    there.isDebited = true;
    if (legs === 'one' || there.fee === 0) {
      this.change(-there.total, { isOurs: true });
      return;
    }
    const transactionId = legs === 'apart' ? randomUUID() : null;
    this.change(there.fee - there.total, { isOurs: true, transactionId });
    if (legs === 'apart') this.change(7);
    this.change(-there.fee, { isOurs: true, transactionId });
  }

  async resolveFunding(paymentId: string): Promise<void> {
    const requestId = await this.#openRequest(paymentId, 'fund');
    if (requestId === null) return;
    await resolveOpenRequest(this.#testDatabase.asWorker, {
      requestId,
      outcome: 'took_effect',
      to: 'funded',
      update: { funded_at: new Date() },
    });
  }

  async #openRequest(paymentId: string, operation: string): Promise<string | null> {
    const { rows } = await this.#testDatabase.database.query<{ request_id: string }>(
      `select request_id from provider_requests where payment_id = $1 and operation = $2 and outcome is null and non_idempotent`,
      [paymentId, operation],
    );
    return rows[0]?.request_id ?? null;
  }

  /** The provider shows how a payment ended; what it has debited of a failed one comes back. */
  async end(paymentId: string, state: 'paid' | 'failed'): Promise<void> {
    const { asWorker, database } = this.#testDatabase;
    const { rows } = await database.query<{ id: string | null }>(
      'select provider_payment_id as id from payments where payment_id = $1',
      [paymentId],
    );
    const there = this.payments.get(paymentId);
    const providerPaymentId = rows[0]?.id ?? null;
    if (providerPaymentId === null || there === undefined || (state === 'paid' && !there.isDebited)) return;
    if (state === 'failed' && there.isDebited) this.change(there.total);
    await applyProviderStatuses(asWorker, ACCOUNT, await beginReading(asWorker), [
      { providerPaymentId, providerStatus: state, state, errorCode: null, errorMessage: null },
    ]);
  }

  /** Ends what was not sent of a run, then the run if nothing of it is open. */
  async endRun(runId: string): Promise<void> {
    const { database } = this.#testDatabase;
    await database.query(
      `update payments set state = 'cancelled', ended_at = now() where run_id = $1 and state = 'ready'`,
      [runId],
    );
    await database.query(
      `update runs set state = 'completed', finished_at = now() where run_id = $1 and finished_at is null and not exists (
         select from payments where payments.run_id = runs.run_id and state in ('ready', 'quoted', 'created', 'awaiting_funds', 'funded', 'processing'))`,
      [runId],
    );
  }

  async commitConversion(conversionId: string, total: number, principal = total): Promise<boolean> {
    const { rows } = await this.#testDatabase.database.query<{ committed: boolean }>(
      'select commit_conversion($1, $2, $3, $4, $5) as committed',
      [ACCOUNT, this.currency, conversionId, total, principal],
    );
    return rows[0]?.committed === true;
  }

  async fundConversion(conversionId: string, total: number): Promise<void> {
    await this.#testDatabase.database.query('select note_conversion_funding($1, $2, $3)', [
      ACCOUNT,
      this.currency,
      conversionId,
    ]);
    this.change(-total, { isOurs: true });
  }

  async releaseConversion(conversionId: string): Promise<void> {
    await this.#testDatabase.database.query('select release_conversion($1, $2, $3)', [
      ACCOUNT,
      this.currency,
      conversionId,
    ]);
  }
}

import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createHash } from 'node:crypto';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { KNOWN_EXTRA_STATUSES, stateByStatus } from '../../domain/payments/provider-status.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { FUNDS_SETTINGS } from '../../domain/runs/funds-schedule.ts';
import { pollSettings } from '../../domain/payments/poll-schedule.ts';
import {
  COMPLETION_AGE_LIMIT_MS,
  CONVERSION_PAUSES_MS,
  CREDIT_AGE_LIMIT_MS,
  SCHEDULED_ORDER_LIFETIME_MS,
} from '../../config/durations.ts';
import { MAY_TAKE_EFFECT_MS } from '../../domain/treasury/funding-evidence.ts';
import { CATCH_UP_WINDOW_MS } from '../../domain/treasury/schedule-dates.ts';
import { createMac } from '../../provider/mac.ts';
import type { Database } from '../../store/database/database.ts';
import { ALWAYS_OPEN } from '../helpers/schedules-under-test.ts';
import type { TestUser } from '../helpers/users.ts';
import { Dice } from './dice.ts';
import type { PaymentWorkflow, WaitsFor } from './payment-workflow.ts';
import { simulatedClient } from './simulated-client.ts';
import { SimulatedProvider } from './simulated-provider.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { Troubles } from './simulated-transport.ts';

/** Where a history is played: connections with a time of their own, one history after another. */
export interface Place {
  time: SimulatedTime;
  database: Database;
  asServer: Database;
  asWorker: Database;
  people: People;
}

export interface People {
  maker: TestUser;
  checker: TestUser;
  other: TestUser;
  treasurer: TestUser;
  secondTreasurer: TestUser;
}

/** What is owed once: the row that a person submits, again if payrun says that it was not paid. */
export interface Need {
  rowRef: string;
  amount: number;
  currency: string;
  /** YYYY-MM-DD; null: at once. */
  payOn: string | null;
}

export interface Row {
  paymentId: string;
  runId: string;
  need: Need;
  /** Two people resolved it. */
  isResolved: boolean;
}

export interface RunningWorkflow {
  row: Row;
  steps: PaymentWorkflow;
  waitsFor: WaitsFor;
  isStepping: boolean;
  /** Its last step was refused for lack of money. */
  isNewlyShort: boolean;
}

/** An order to convert. Its workflow has no state: the database says what comes next. */
export interface Order {
  orderId: string;
  isStepping: boolean;
  /** Two people said what became of it. */
  isResolved: boolean;
}

/** Mostly the same, so that payments compete for its money. */
export const currencyOf = (dice: Dice): string => (dice.chance(0.8) ? 'USD' : 'EUR');

/** One history: an account of its own, with its provider, runs and workflows. */
export class World {
  readonly account: string;
  readonly place: Place;
  readonly provider: SimulatedProvider;
  readonly dependencies: ActivityDependencies;
  /** Of the activity that concludes what people say. */
  resolvingWith: ActivityDependencies;
  readonly rows: Row[] = [];
  readonly runs: string[] = [];
  readonly workflows = new Map<string, RunningWorkflow>();
  readonly orders = new Map<string, Order>();
  /** Each buys the same currency for another one, up to the same level. */
  readonly schedules: string[] = [];
  /** Of the event that is played. */
  dice: Dice;
  isFaulty = true;
  /** What happens while a request is under way. */
  meanwhile: () => Promise<void> = () => Promise.resolve();
  #ids = 0;

  constructor(account: string, place: Place, { seed, theme }: { seed: number; theme: Troubles }) {
    this.account = account;
    this.place = place;
    this.dice = new Dice(seed);
    const { time, asWorker } = place;
    time.offsetMs = 0;
    this.provider = new SimulatedProvider(account, time.now, { seed, isLate: theme.isLate });
    const mac = createMac(account, 'a secret');
    const client = simulatedClient({
      provider: this.provider,
      now: time.now,
      dice: () => this.dice,
      isFaulty: () => this.isFaulty,
      theme,
      meanwhile: () => this.meanwhile(),
    });
    // Activities that are played here neither start workflows nor read the other settings.
    this.dependencies = {
      database: asWorker,
      provider: () => client,
      macOf: () => mac,
      temporal: {
        workflow: {
          getHandle: (id: string) => ({ signal: (name: string) => this.#notified(id, name) }),
          signalWithStart: (_: string, { args }: { args: [{ orderId: string }] }) => this.#started(args[0].orderId),
        },
      },
      dataKeys: TEST_DATA_KEYS,
      now: time.now,
      monotonicNow: time.now,
      settings: {
        requestTimeoutMs: 30_000,
        visibilityDelayMs: 60_000,
        confirmationAgeLimitMs: 3 * DAY,
        fundsAgeLimitMs: 3 * DAY,
        stateOf: stateByStatus(KNOWN_EXTRA_STATUSES),
        poll: pollSettings(1_000),
        funds: FUNDS_SETTINGS,
        treasury: {
          ...{ referenceRates: () => Promise.resolve(null), mayTakeEffectMs: MAY_TAKE_EFFECT_MS },
          ...{ firstPauseMs: CONVERSION_PAUSES_MS.firstMs, maxPauseMs: CONVERSION_PAUSES_MS.maxMs },
          ...{ creditAgeLimitMs: CREDIT_AGE_LIMIT_MS, completionAgeLimitMs: COMPLETION_AGE_LIMIT_MS },
        },
        schedules: {
          ...{ calendars: ALWAYS_OPEN, catchUpMs: CATCH_UP_WINDOW_MS, orderLifetimeMs: SCHEDULED_ORDER_LIFETIME_MS },
        },
        limitOf: () => ({ perSecond: 0, perDay: 0, reservedPerDay: 0 }),
      },
    } as unknown as ActivityDependencies;
    this.resolvingWith = this.dependencies;
  }

  /** A signal that lets a workflow go on. */
  #notified(workflowId: string, signal: string): Promise<void> {
    const workflow = this.workflows.get(workflowId.replace('payment/', ''));
    if (workflow !== undefined && signal === 'fundsArrived' && workflow.waitsFor === 'funds')
      workflow.waitsFor = 'nothing';
    return Promise.resolve();
  }

  /** The workflow of an order. */
  #started(orderId: string): Promise<void> {
    if (!this.orders.has(orderId)) this.orders.set(orderId, { orderId, isStepping: false, isResolved: false });
    return Promise.resolve();
  }

  /** The same ones whenever the history is played. */
  uuid(): string {
    this.#ids += 1;
    const hex = createHash('sha256').update(`${this.account} ${this.#ids}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  async states(): Promise<Map<string, PaymentState>> {
    const { rows } = await this.place.database.query<{ id: string; state: PaymentState }>(
      'select payment_id as id, state from payments where account = $1',
      [this.account],
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  async rowsIn(...states: PaymentState[]): Promise<Row[]> {
    const now = await this.states();
    return this.rows.filter(({ paymentId }) => states.includes(now.get(paymentId) ?? 'invalid'));
  }
}

const DAY = 24 * 3_600_000;

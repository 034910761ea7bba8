import type { Client } from '@temporalio/client';
import type { SendingLimits } from '../domain/runs/finishing-time.ts';
import type { StateOfStatus } from '../domain/payments/provider-status.ts';
import type { FundsSettings } from '../domain/runs/funds-schedule.ts';
import type { SweepSettings } from '../domain/payments/sweep-schedule.ts';
import type { ProviderClient } from '../provider/client.ts';
import type { RecordSeal } from '../provider/record-seal.ts';
import type { Database } from '../store/database/database.ts';

/** What activities are built from; nothing in `activities/` reads the environment or a clock of its own. */
export interface ActivityDependencies {
  database: Database;
  provider: (account: string) => ProviderClient;
  /** Seals what was learnt from the account's provider. */
  seal: (account: string) => RecordSeal;
  temporal: Client;
  /** Milliseconds since the epoch. */
  now: () => number;
  settings: ActivitySettings;
}

export interface ActivitySettings {
  /** After this a request without an answer is given up, its outcome unknown. */
  requestTimeoutMs: number;
  /** How long what a request did may take to show in the provider's answers. */
  visibilityDelayMs: number;
  /** Payments in flight for longer become `unknown`. */
  confirmationAgeLimitMs: number;
  /** Payments that wait for money for longer become `unknown`, where the provider's own end is not sooner. */
  fundsAgeLimitMs: number;
  /** A quote whose fees are beyond this share of the amount sold holds the row. */
  maxFeePercent: number;
  /** What the provider's statuses mean. */
  stateOf: StateOfStatus;
  balanceMaxAgeMs: number;
  referenceMaxAgeMs: number;
  sweep: SweepSettings;
  /** When the balances are read for payments that wait for money. */
  funds: FundsSettings;
  limitOf: (account: string) => SendingLimits;
}

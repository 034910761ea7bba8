import type { Client } from '@temporalio/client';
import type { SendingLimits } from '../domain/runs/sending-limits.ts';
import type { StateOfStatus } from '../domain/payments/provider-status.ts';
import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import type { HistorySettings } from '../domain/accounts/history-schedule.ts';
import type { ReceiptSettings } from '../domain/accounts/receipt-schedule.ts';
import type { FundsSettings } from '../domain/runs/funds-schedule.ts';
import type { ReferenceRates } from '../domain/rates/reference-rates.ts';
import type { PollSettings } from '../domain/payments/poll-schedule.ts';
import type { ProviderClient } from '../provider/client.ts';
import type { Mac } from '../provider/mac.ts';
import type { CalendarOverrides } from '../domain/treasury/calendar-overrides.ts';
import type { HolidaysOf } from '../domain/treasury/currency-calendar.ts';
import type { Database } from '../store/database/database.ts';
import type { CasePollSettings } from '../store/onboarding/case-poll.ts';
import type { NotificationSettings } from './notifications/notification-settings.ts';

/** What activities are built from. Nothing else in `activities/` reads the environment or a clock. */
export interface ActivityDependencies {
  database: Database;
  provider: (account: string) => ProviderClient;
  /** Makes the MACs of what the account's provider returned. */
  macOf: (account: string) => Mac;
  temporal: Client;
  /** The keys that encrypt personal data of onboarding; null: none is configured. */
  dataKeys: DataKeys | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds of a clock that is never set back or forward, for durations. */
  monotonicNow: () => number;
  settings: ActivitySettings;
}

export interface ActivitySettings {
  /** After this time a request without an answer is abandoned, and its outcome is unknown. */
  requestTimeoutMs: number;
  /** How long it may take until the effect of a request is visible in the provider's answers. */
  visibilityDelayMs: number;
  /** Payments in flight for longer become `unknown`. */
  confirmationAgeLimitMs: number;
  /** Payments that wait for funds for longer become `unknown`, unless the provider's cut-off time is earlier. */
  fundsAgeLimitMs: number;
  /** The payment state for each status of the provider. */
  stateOf: StateOfStatus;
  balanceMaxAgeMs: number;
  referenceMaxAgeMs: number;
  poll: PollSettings;
  /** When the balances are read for payments that wait for funds. */
  funds: FundsSettings;
  /** When the history of the balances is read. */
  history: HistorySettings;
  /** When the provider is asked what explains money that came in. */
  receipts: ReceiptSettings;
  onboarding: OnboardingSettings;
  treasury: TreasurySettings;
  schedules: ScheduleSettings;
  notifications: NotificationSettings;
  limitOf: (account: string) => SendingLimits;
}

export interface TreasurySettings {
  /** Rates of one's own house or of a central bank; null: none are configured. */
  referenceRates: () => Promise<ReferenceRates | null>;
  /** A request to fund may take effect for so long after it ended. */
  mayTakeEffectMs: number;
  /** How often the provider is read for an order that waits for it: at first, and after pauses that double. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** If the bought money is not seen for longer after the completion, people are notified. */
  creditAgeLimitMs: number;
  /** If the provider does not show a funded conversion as completed for longer, people are notified. */
  completionAgeLimitMs: number;
}

export interface ScheduleSettings {
  /** When banks do business. */
  calendars: { overrides: CalendarOverrides; holidaysOf: HolidaysOf };
  /** An occurrence that begins later than this after its time is missed. */
  catchUpMs: number;
  /** For how long an order of an occurrence may be created. */
  orderLifetimeMs: number;
}

export interface OnboardingSettings {
  poll: CasePollSettings;
  /** How often an onboarder is reminded of a case that waits for them. */
  reminderMs: number;
  /** How often they are reminded of one that waits for the provider. */
  providerReminderMs: number;
  /** A case that waits for the provider for longer waits for an onboarder, who asks it. */
  undecidedMs: number;
  /** A case that waits for an onboarder for longer expires. */
  ageLimitMs: number;
  /** After a sign-up without an answer, no other one of the account is sent for so long. */
  unknownPauseMs: number;
}

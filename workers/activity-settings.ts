import { mailServerIn } from '../config/mail-server.ts';
import type { ActivitySettings } from '../activities/dependencies.ts';
import type { NotificationSettings } from '../activities/notifications/notification-settings.ts';
import type { AccountLimits } from '../config/account-settings.ts';
import {
  BALANCE_MAX_AGE_MS,
  CASE_AGE_LIMIT_MS,
  CASE_PROVIDER_REMINDER_MS,
  CASE_REMINDER_MS,
  CASE_POLL_MS,
  CASE_UNDECIDED_MS,
  CONFIRMATION_AGE_LIMIT_MS,
  COMPLETION_AGE_LIMIT_MS,
  CONVERSION_PAUSES_MS,
  CREDIT_AGE_LIMIT_MS,
  FUNDS_AGE_LIMIT_MS,
  NOTIFICATION_GATHER_MS,
  NOTIFICATION_TIMEOUT_MS,
  REFERENCE_MAX_AGE_MS,
  SCHEDULED_ORDER_LIFETIME_MS,
} from '../config/durations.ts';
import { readCalendarOverrides } from '../config/treasury/calendar-file.ts';
import { nationalHolidays } from '../config/treasury/national-holidays.ts';
import { referenceRatesIn } from '../config/treasury/reference-rates-file.ts';
import type { Environment } from '../config/environment.ts';
import { RECEIPT_SETTINGS } from '../domain/accounts/receipt-schedule.ts';
import { HISTORY_SETTINGS } from '../domain/accounts/history-schedule.ts';
import { RETRY_SCHEDULE } from '../domain/notifications/retry-schedule.ts';
import { stateByStatus } from '../domain/payments/provider-status.ts';
import { MAY_TAKE_EFFECT_MS } from '../domain/treasury/funding-evidence.ts';
import { CATCH_UP_WINDOW_MS } from '../domain/treasury/schedule-dates.ts';
import { pollSettings } from '../domain/payments/poll-schedule.ts';
import { FUNDS_SETTINGS } from '../domain/runs/funds-schedule.ts';
import type { PlanSettings } from '../store/notifications/plan-deliveries.ts';

/** The settings of a worker's activities. `accounts` is the list in force: accounts may be appended to it. */
export function activitySettings(environment: Environment, accounts: readonly AccountLimits[]): ActivitySettings {
  return {
    requestTimeoutMs: environment.PAYRUN_REQUEST_TIMEOUT_MS,
    visibilityDelayMs: environment.PAYRUN_VISIBILITY_DELAY_MS,
    confirmationAgeLimitMs: CONFIRMATION_AGE_LIMIT_MS,
    fundsAgeLimitMs: FUNDS_AGE_LIMIT_MS,
    stateOf: stateByStatus(environment.PAYRUN_PAYMENT_STATUSES),
    balanceMaxAgeMs: BALANCE_MAX_AGE_MS,
    referenceMaxAgeMs: REFERENCE_MAX_AGE_MS,
    poll: pollSettings(environment.PAYRUN_STATUS_POLL_INTERVAL_MS),
    funds: FUNDS_SETTINGS,
    history: HISTORY_SETTINGS,
    receipts: RECEIPT_SETTINGS,
    onboarding: {
      poll: CASE_POLL_MS,
      reminderMs: CASE_REMINDER_MS,
      providerReminderMs: CASE_PROVIDER_REMINDER_MS,
      undecidedMs: CASE_UNDECIDED_MS,
      ageLimitMs: CASE_AGE_LIMIT_MS,
      unknownPauseMs: environment.PAYRUN_SIGN_UP_PAUSE_MS,
    },
    treasury: {
      referenceRates: referenceRatesIn(environment.PAYRUN_REFERENCE_RATES ?? null),
      mayTakeEffectMs: MAY_TAKE_EFFECT_MS,
      firstPauseMs: CONVERSION_PAUSES_MS.firstMs,
      maxPauseMs: CONVERSION_PAUSES_MS.maxMs,
      creditAgeLimitMs: CREDIT_AGE_LIMIT_MS,
      completionAgeLimitMs: COMPLETION_AGE_LIMIT_MS,
    },
    schedules: {
      calendars: {
        overrides: readCalendarOverrides(environment.PAYRUN_CALENDARS ?? null),
        holidaysOf: nationalHolidays,
      },
      catchUpMs: CATCH_UP_WINDOW_MS,
      orderLifetimeMs: SCHEDULED_ORDER_LIFETIME_MS,
    },
    notifications: notificationSettings(environment),
    limitOf: (name) => {
      const account = accounts.find((candidate) => candidate.name === name);
      if (account === undefined) {
        // Temporal tries the activity again, until a worker that has the account gets it.
        throw new Error(`account ${name} is not configured for this worker: give all workers the same payrun.yaml`);
      }
      return {
        perSecond: account.requestsPerSecond,
        perDay: account.requestsPerDay,
        reservedPerDay: account.requestsReservedPerDay,
      };
    },
  };
}

function notificationSettings(environment: Environment): NotificationSettings {
  return {
    schedule: RETRY_SCHEDULE,
    webhooks: {
      timeoutMs: NOTIFICATION_TIMEOUT_MS,
      privateHosts: environment.PAYRUN_NOTIFICATION_PRIVATE_HOSTS,
    },
    mail: mailServerIn(environment),
  };
}

/** The settings by which a worker plans notifications. */
export function planSettings(environment: Environment): PlanSettings {
  return {
    gatherMs: NOTIFICATION_GATHER_MS,
    quietMs: environment.PAYRUN_NOTIFICATION_QUIET_MS,
    publicUrl: environment.PAYRUN_PUBLIC_URL ?? null,
  };
}

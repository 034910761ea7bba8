/** Times and bounds that the parts of payrun work by, unless the environment sets another. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const REFERENCE_MAX_AGE_MS = 12 * HOUR_MS;
export const REFERENCE_TIMEOUT_MS = MINUTE_MS;
export const BALANCE_MAX_AGE_MS = 30_000;
export const DECISION_WITHIN_MS = 14 * DAY_MS;
export const CONFIRMATION_AGE_LIMIT_MS = 7 * DAY_MS;
export const FUNDS_AGE_LIMIT_MS = 3 * DAY_MS;

/** Open cases of onboarding are read after pauses that double from the first to the last. */
export const CASE_POLL_MS = { firstMs: 15 * MINUTE_MS, maxMs: 6 * HOUR_MS };
export const CASE_REMINDER_MS = 3 * DAY_MS;
export const CASE_PROVIDER_REMINDER_MS = 7 * DAY_MS;
export const CASE_UNDECIDED_MS = 30 * DAY_MS;
export const SIGN_UP_PAUSE_MS = 5 * MINUTE_MS;
export const CASE_AGE_LIMIT_MS = 90 * DAY_MS;

/** An order to convert that waits for the provider is read after pauses that double from the first to the last. */
export const CONVERSION_PAUSES_MS = { firstMs: 5_000, maxMs: 5 * MINUTE_MS };
/** An order of a schedule that was not created by then expires: its amount and its prices are of the occurrence. */
export const SCHEDULED_ORDER_LIFETIME_MS = HOUR_MS;
/** A conversion may take days to complete; the bought money shows soon after it. */
export const CREDIT_AGE_LIMIT_MS = DAY_MS;
/** A conversion may take days on which no bank is open: a weekend and two holidays. */
export const COMPLETION_AGE_LIMIT_MS = 5 * DAY_MS;

/** After a notification that tells of many facts together, no other of its kind about the same run for so long. */
export const NOTIFICATION_QUIET_MS = HOUR_MS;
/** Such facts wait for others for so long. */
export const NOTIFICATION_GATHER_MS = 10_000;
/** A receiver of a webhook that has not answered by then has failed. */
export const NOTIFICATION_TIMEOUT_MS = 15_000;

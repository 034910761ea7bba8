/** What an environment variable sets, and among which it is listed. */

export const VARIABLE_GROUPS = [
  'Provider',
  'Limits and times',
  'Webhooks',
  'Treasury',
  'Variants of the provider',
  'Postgres',
  'Temporal',
  'Server and data',
  'Personal data',
  'Sign-in',
  'Notifications',
  'Metrics and traces',
  'Command line',
] as const;

export interface VariableDescription {
  group: (typeof VARIABLE_GROUPS)[number];
  /** Null: there is none; the variable is optional or its absence means something that `sets` says. */
  default: string | null;
  sets: string;
}

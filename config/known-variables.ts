import { closestName } from '../domain/closest-name.ts';

/** The names of all environment variables that are payrun's, so that a mistyped one can be told from them. */

/** Read by the command line alone. */
const COMMAND_LINE_VARIABLES = ['PAYRUN_URL', 'PAYRUN_TOKEN', 'PAYRUN_AS', 'PAYRUN_CA_FILE'] as const;

/** Secrets of the services: each may be given as the path of a file that holds it, by the same name with `_FILE`. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'PAYRUN_OWNER_DATABASE_URL',
  'TEMPORAL_API_KEY',
  'PAYRUN_API_KEY',
  'PAYRUN_ACCESS_KEY_ID',
  'PAYRUN_SECRET_ACCESS_KEY',
  'PAYRUN_WEBHOOK_TOKEN',
  'PAYRUN_WEBHOOK_HEADERS',
  'PAYRUN_DATA_KEY',
  'PAYRUN_SMTP_URL',
  'PAYRUN_METRICS_TOKEN',
  'PAYRUN_OIDC_CLIENT_SECRET',
  'PAYRUN_AUDIT_EXPORT_TOKEN',
] as const;

const SERVICE_VARIABLES = [
  ...SECRET_VARIABLES,
  'PAYRUN_HOME',
  'PAYRUN_CONFIG',
  'PAYRUN_HTTP_HOST',
  'PAYRUN_HTTP_PORT',
  'PAYRUN_LOG_LEVEL',
  'PAYRUN_ALLOW_PLAINTEXT',
  'DATABASE_CA_FILE',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_UI_URL',
  'PAYRUN_TEMPORAL_CLI',
  'PAYRUN_API_URL',
  'PAYRUN_API_CA_FILE',
  'PAYRUN_REQUESTS_PER_SECOND',
  'PAYRUN_REQUESTS_PER_DAY',
  'PAYRUN_REQUESTS_RESERVED_PER_DAY',
  'PAYRUN_REQUEST_TIMEOUT_MS',
  'PAYRUN_VISIBILITY_DELAY_MS',
  'PAYRUN_STATUS_POLL_INTERVAL_MS',
  'PAYRUN_SIGN_UP_PAUSE_MS',
  'PAYRUN_DRAFT_DAYS',
  'PAYRUN_WEBHOOK_MB_PER_DAY',
  'PAYRUN_UPLOADS_PER_DAY',
  'PAYRUN_UPLOAD_MB_PER_DAY',
  'PAYRUN_REPORTS_PER_DAY',
  'PAYRUN_DATABASE_LIMIT_MB',
  'PAYRUN_DATABASE_RESERVE_MB',
  'PAYRUN_REFERENCE_RATES',
  'PAYRUN_PAYMENT_STATUSES',
  'PAYRUN_DOCUMENT_REQUIREMENTS',
  'PAYRUN_CALENDARS',
  'PAYRUN_PROVIDER_DATE_FORMAT',
  'PAYRUN_PROVIDER_UPLOAD_METHOD',
  'PAYRUN_PROVIDER_UPLOAD_HEADERS',
  'PAYRUN_PROVIDER_UPLOAD_HOSTS',
  'PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX',
  'PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH',
  'PAYRUN_PUBLIC_URL',
  'PAYRUN_TRUSTED_PROXIES',
  'PAYRUN_AUDIT_EXPORT',
  'PAYRUN_OIDC_ISSUER',
  'PAYRUN_OIDC_CLIENT_ID',
  'PAYRUN_OIDC_NAME',
  'PAYRUN_MAIL_FROM',
  'PAYRUN_NOTIFICATION_PRIVATE_HOSTS',
  'PAYRUN_NOTIFICATION_QUIET_MS',
  'PAYRUN_METRICS_HOST',
  'PAYRUN_METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_SDK_DISABLED',
] as const;

/** A variable that the command line alone reads. */
export type CommandLineVariable = (typeof COMMAND_LINE_VARIABLES)[number];

/** A variable that workers, servers and the verbs of operators read. */
export type ServiceVariable = (typeof SERVICE_VARIABLES)[number];

const PREFIX = 'PAYRUN_';

const KNOWN: ReadonlySet<string> = new Set([
  ...SERVICE_VARIABLES,
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
  ...COMMAND_LINE_VARIABLES,
]);

/**
 * A line for each variable that has a name as payrun's and is none of them, with the one that was probably meant: it
 * would set nothing, and whoever set it would not know. Empty ones are not set.
 */
export function unknownVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  const own = [...KNOWN].filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  return Object.entries(variables).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX) || (value ?? '') === '' || KNOWN.has(name)) return [];
    const meant = closestName(name.slice(PREFIX.length), own);
    const question = meant === null ? '' : `: did you mean ${PREFIX}${meant}?`;
    return [`${name}: payrun has no such variable${question}`];
  });
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';
import { auditExport, auditExportToken } from './audit-export-fields.ts';
import { ConfigurationError } from './configuration-error.ts';
import { certificateFile } from './certificates.ts';
import { dataKeys } from './data-keys.ts';
import { NOTIFICATION_QUIET_MS, SIGN_UP_PAUSE_MS } from './durations.ts';
import { SECRET_VARIABLES, type ServiceVariable, unknownVariables } from './known-variables.ts';
import { mailFrom, privateHosts, publicUrl, smtpUrl } from './notification-fields.ts';
import { allowPlaintext } from './plaintext.ts';
import { trustedProxies } from './proxy-fields.ts';
import { KNOWN_EXTRA_STATUSES, EXTRA_STATUS_MEANINGS, type ExtraStatuses } from '../domain/payments/provider-status.ts';
import { STATUS_POLL_INTERVAL_MS } from '../domain/payments/poll-schedule.ts';
import {
  dateFormat,
  hostNames,
  storageClassPrefix,
  uploadMethod,
  virtualAccountPath,
  webhookTokensField,
} from './provider-fields.ts';
import { metricsProblems, metricsToken, tracesExporter, trueOrFalse } from './metrics-fields.ts';
import { encryptedServices } from './temporal/encrypted-services.ts';
import { uploadHeaders, webhookHeaders } from './header-fields.ts';

/** The environment as payrun reads it: the only place, through one schema that names every wrong variable at once. */

/** As the issuer writes it: compared letter by letter. */
const oidcIssuer = z
  .url({ protocol: /^https?$/, error: 'give the address of the issuer, as "https://login.example.com"' })
  .refine((url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname), 'give an https address');

const wholeNumber = z.coerce.number().int().min(0);
const milliseconds = z.coerce.number().int().min(1);
const address = z.url({ protocol: /^https?$/ });

const listOfHostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(hostNames);

const ONE_STATUS = new RegExp(`^([a-z0-9_-]+)=(${EXTRA_STATUS_MEANINGS.join('|')})$`);

/** Statuses beside those of the contract, each with the one that it counts as: `in_transit=processing,…`. */
const paymentStatuses = z.string().transform((text, context): ExtraStatuses => {
  const pairs = text.split(',').map((pair) => ONE_STATUS.exec(pair.trim()));
  if (pairs.includes(null)) {
    context.addIssue(`give a comma list of status=meaning, with a meaning of ${EXTRA_STATUS_MEANINGS.join(', ')}`);
    return z.NEVER;
  }
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]])) as ExtraStatuses;
});

const FIELDS = {
  PAYRUN_HOME: z.string().min(1).optional(),
  PAYRUN_CONFIG: z.string().min(1).optional(),
  PAYRUN_HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  PAYRUN_HTTP_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  PAYRUN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  PAYRUN_ALLOW_PLAINTEXT: allowPlaintext.default([]),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_CA_FILE: certificateFile.optional(),
  PAYRUN_OWNER_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PAYRUN_DATA_KEY: dataKeys.optional(),
  PAYRUN_DOCUMENT_REQUIREMENTS: z.string().min(1).optional(),
  PAYRUN_CALENDARS: z.string().min(1).optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^:\s]+:\d+$/, 'give host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  TEMPORAL_TLS_CA: certificateFile.optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_UI_URL: address.optional(),
  PAYRUN_TEMPORAL_CLI: z.string().min(1).optional(),
  PAYRUN_API_URL: address.optional(),
  PAYRUN_API_CA_FILE: certificateFile.optional(),
  PAYRUN_API_KEY: z.string().min(1).optional(),
  PAYRUN_ACCESS_KEY_ID: z.string().min(1).optional(),
  PAYRUN_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  PAYRUN_REQUESTS_PER_SECOND: wholeNumber.default(5),
  PAYRUN_REQUESTS_PER_DAY: wholeNumber.default(432_000),
  PAYRUN_REQUESTS_RESERVED_PER_DAY: wholeNumber.optional(),
  PAYRUN_REQUEST_TIMEOUT_MS: milliseconds.default(20_000),
  PAYRUN_VISIBILITY_DELAY_MS: milliseconds.default(5_000),
  PAYRUN_STATUS_POLL_INTERVAL_MS: milliseconds.default(STATUS_POLL_INTERVAL_MS),
  PAYRUN_SIGN_UP_PAUSE_MS: milliseconds.default(SIGN_UP_PAUSE_MS),
  PAYRUN_DRAFT_DAYS: wholeNumber.min(1).default(7),
  PAYRUN_UPLOADS_PER_DAY: wholeNumber.default(2_000),
  PAYRUN_UPLOAD_MB_PER_DAY: wholeNumber.default(4_096),
  PAYRUN_REPORTS_PER_DAY: wholeNumber.default(1_000),
  PAYRUN_DATABASE_LIMIT_MB: wholeNumber.min(1).optional(),
  PAYRUN_DATABASE_RESERVE_MB: wholeNumber.default(2_048),
  PAYRUN_REFERENCE_RATES: z.string().min(1).optional(),
  PAYRUN_PAYMENT_STATUSES: paymentStatuses.default(KNOWN_EXTRA_STATUSES),
  PAYRUN_WEBHOOK_TOKEN: webhookTokensField.optional(),
  PAYRUN_WEBHOOK_MB_PER_DAY: wholeNumber.default(512),
  PAYRUN_WEBHOOK_HEADERS: webhookHeaders.optional(),
  PAYRUN_PROVIDER_DATE_FORMAT: dateFormat.optional(),
  PAYRUN_PROVIDER_UPLOAD_METHOD: uploadMethod.optional(),
  PAYRUN_PROVIDER_UPLOAD_HEADERS: uploadHeaders.optional(),
  PAYRUN_PROVIDER_UPLOAD_HOSTS: listOfHostNames.optional(),
  PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: storageClassPrefix.optional(),
  PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: virtualAccountPath.optional(),
  PAYRUN_PUBLIC_URL: publicUrl.optional(),
  PAYRUN_AUDIT_EXPORT: auditExport.optional(),
  PAYRUN_AUDIT_EXPORT_TOKEN: auditExportToken.optional(),
  PAYRUN_TRUSTED_PROXIES: trustedProxies.default([]),
  PAYRUN_OIDC_ISSUER: oidcIssuer.optional(),
  PAYRUN_OIDC_CLIENT_ID: z.string().min(1).optional(),
  PAYRUN_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  PAYRUN_OIDC_NAME: z.string().min(1).max(60).default('your company'),
  PAYRUN_SMTP_URL: smtpUrl.optional(),
  PAYRUN_MAIL_FROM: mailFrom.optional(),
  PAYRUN_NOTIFICATION_PRIVATE_HOSTS: privateHosts.default([]),
  PAYRUN_NOTIFICATION_QUIET_MS: wholeNumber.default(NOTIFICATION_QUIET_MS),
  PAYRUN_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  PAYRUN_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  PAYRUN_METRICS_TOKEN: metricsToken.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_TRACES_EXPORTER: tracesExporter.optional(),
  OTEL_SDK_DISABLED: trueOrFalse.optional(),
} satisfies Record<ServiceVariable, z.ZodType>;

/** Where the server listens unless PAYRUN_HTTP_PORT says otherwise. */
export const DEFAULT_HTTP_PORT = 8_700;

const SCHEMA = z.object(FIELDS);

/** The provider's credentials: a worker needs all three, and a server must have none. */
export const PROVIDER_CREDENTIALS = ['PAYRUN_API_KEY', 'PAYRUN_ACCESS_KEY_ID', 'PAYRUN_SECRET_ACCESS_KEY'] as const;

/** The values as read, those in files read from there. */
export type Environment = z.output<typeof SCHEMA> & {
  /** The names of what is set, each as it is: `DATABASE_URL`, or `DATABASE_URL_FILE`. */
  given: readonly string[];
  /** All variables as they are, for those that an accounts file refers to by name. */
  variables: Variables;
};
export type Variables = Readonly<Record<string, string | undefined>>;

/** Throws ConfigurationError. An empty variable is not set. */
export function readEnvironment(variables: Variables): Environment {
  return read(variables, []);
}

/** The environment of a server. Throws ConfigurationError, also when it holds what only a worker may know. */
export function readServerEnvironment(variables: Variables): Environment {
  const refused = PROVIDER_CREDENTIALS.flatMap((name) => [name, `${name}_FILE`]).filter((name) => variables[name]);
  const why =
    "remove what is the provider's from a server's environment: only workers need it, and whoever takes over a server " +
    'must not find the means to pay there';
  const problems = refused.length === 0 ? [] : [`${refused.join(', ')}: ${why}`];
  return read({ ...variables, ...Object.fromEntries(refused.map((name) => [name, undefined])) }, problems);
}

function read(variables: Variables, problems: string[]): Environment {
  const given: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) if ((value ?? '') !== '') given[name] = value;
  const names = Object.keys(given);
  problems.push(...unknownVariables(given));
  for (const name of SECRET_VARIABLES) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name}: is given twice, also as ${name}_FILE; give one of them`);
    else given[name] = readSecret(`${name}_FILE`, path, problems);
  }
  const values = readValues(given, problems);
  problems.push(...contradictions(values));
  problems.push(...metricsProblems(values));
  const services = encryptedServices(values);
  problems.push(...services.problems);
  if (problems.length > 0) {
    throw new ConfigurationError(
      `these environment variables are wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return { ...values, ...services.addresses, given: names, variables };
}

/** What can be read, so that the rest is checked as well before anything is said. */
function readValues(given: Variables, problems: string[]): z.output<typeof SCHEMA> {
  const read = SCHEMA.safeParse(given);
  if (read.success) return read.data;
  problems.push(...read.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  const wrong = new Set(read.error.issues.map((issue) => issue.path[0]));
  // Every variable is optional by itself.
  return SCHEMA.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))));
}

/** What is wrong with variables that are each right by themselves. */
function contradictions(values: z.output<typeof SCHEMA>): string[] {
  const { PAYRUN_REQUESTS_PER_DAY: perDay, PAYRUN_REQUESTS_RESERVED_PER_DAY: reserved } = values;
  const { TEMPORAL_TLS, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_TLS_CA, TEMPORAL_API_KEY } = values;
  const { PAYRUN_SMTP_URL, PAYRUN_MAIL_FROM, PAYRUN_OIDC_ISSUER, PAYRUN_OIDC_CLIENT_ID } = values;
  const overTls = Object.entries({ TEMPORAL_API_KEY, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_TLS_CA });
  const contradicting = overTls.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [
    (TEMPORAL_TLS_CERT === undefined) === (TEMPORAL_TLS_KEY === undefined)
      ? []
      : 'TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY: give both or none',
    TEMPORAL_TLS === 'false' && contradicting.length > 0
      ? `TEMPORAL_TLS: false contradicts ${contradicting.join(', ')}, which work over TLS alone: give one or the other`
      : [],
    (PAYRUN_SMTP_URL === undefined) === (PAYRUN_MAIL_FROM === undefined)
      ? []
      : 'PAYRUN_SMTP_URL, PAYRUN_MAIL_FROM: give both or none',
    (PAYRUN_OIDC_ISSUER === undefined) === (PAYRUN_OIDC_CLIENT_ID === undefined)
      ? []
      : 'PAYRUN_OIDC_ISSUER, PAYRUN_OIDC_CLIENT_ID: give both or none',
    values.PAYRUN_AUDIT_EXPORT_TOKEN !== undefined && values.PAYRUN_AUDIT_EXPORT?.startsWith('http') !== true
      ? 'PAYRUN_AUDIT_EXPORT_TOKEN: is for an address in PAYRUN_AUDIT_EXPORT'
      : [],
    values.PAYRUN_DATABASE_LIMIT_MB !== undefined &&
    values.PAYRUN_DATABASE_LIMIT_MB <= values.PAYRUN_DATABASE_RESERVE_MB
      ? 'PAYRUN_DATABASE_LIMIT_MB: give more than PAYRUN_DATABASE_RESERVE_MB, or no file is received'
      : [],
    perDay > 0 && reserved !== undefined && reserved >= perDay
      ? 'PAYRUN_REQUESTS_RESERVED_PER_DAY: give fewer than PAYRUN_REQUESTS_PER_DAY, or nothing is begun'
      : [],
  ].flat();
}

function readSecret(name: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    problems.push(`${name}: the file it names cannot be read`);
    return undefined;
  }
}

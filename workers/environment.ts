import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { WrongInput } from '../client/cli/exit-code.ts';
import { SWEEP_GAP_MS } from '../domain/sweep-schedule.ts';
import { isRequestPath } from '../provider/virtual-accounts.ts';
import { uploadHeaders, webhookHeaders } from './header-fields.ts';

/** The environment as payrun reads it: the only place, through one schema that names every wrong variable at once. */

const wholeNumber = z.coerce.number().int().min(0);
const milliseconds = z.coerce.number().int().min(1);
const address = z.url({ protocol: /^https?$/ });

const SCHEMA = z.object({
  PAYRUN_HOME: z.string().min(1).optional(),
  PAYRUN_HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  PAYRUN_HTTP_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  PAYRUN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PAYRUN_OWNER_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^:\s]+:\d+$/, 'give host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_UI_URL: address.optional(),
  PAYRUN_TEMPORAL_CLI: z.string().min(1).optional(),
  PAYRUN_API_URL: address.optional(),
  PAYRUN_API_KEY: z.string().min(1).optional(),
  PAYRUN_ACCESS_KEY_ID: z.string().min(1).optional(),
  PAYRUN_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  PAYRUN_REQUESTS_PER_SECOND: wholeNumber.default(5),
  PAYRUN_REQUESTS_PER_DAY: wholeNumber.default(432_000),
  PAYRUN_REQUESTS_RESERVED_PER_DAY: wholeNumber.optional(),
  PAYRUN_REQUEST_TIMEOUT_MS: milliseconds.default(20_000),
  PAYRUN_SETTLE_MS: milliseconds.default(5_000),
  PAYRUN_SWEEP_GAP_MS: milliseconds.default(SWEEP_GAP_MS),
  PAYRUN_MAX_FEE_PERCENT: z.coerce.number().min(0).max(100).default(20),
  PAYRUN_WEBHOOK_TOKEN: z.string().min(16, 'give 16 characters or more: it is all that guards the address').optional(),
  PAYRUN_WEBHOOK_HEADERS: webhookHeaders.optional(),
  PAYRUN_PROVIDER_DATE_FORMAT: z.enum(['DD-MM-YYYY', 'YYYY-MM-DD'], 'give DD-MM-YYYY or YYYY-MM-DD').optional(),
  PAYRUN_PROVIDER_UPLOAD_METHOD: z.enum(['PUT', 'POST'], 'give PUT or POST').optional(),
  PAYRUN_PROVIDER_UPLOAD_HEADERS: uploadHeaders.optional(),
  PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: z
    .string()
    .regex(/^[a-z0-9]+$/, 'give the word between x- and -storage-class: small letters and digits')
    .optional(),
  PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: z
    .string()
    .refine(isRequestPath, 'give a path that begins with / and holds :requestId once')
    .optional(),
});

/** These may be given as the path of a file that holds them, by the same name with `_FILE`. */
const SECRETS = [
  'DATABASE_URL',
  'PAYRUN_OWNER_DATABASE_URL',
  'TEMPORAL_API_KEY',
  'PAYRUN_API_KEY',
  'PAYRUN_ACCESS_KEY_ID',
  'PAYRUN_SECRET_ACCESS_KEY',
  'PAYRUN_WEBHOOK_TOKEN',
  'PAYRUN_WEBHOOK_HEADERS',
] as const;

export type Environment = z.output<typeof SCHEMA>;
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment cannot be used. The message has a line for every wrong variable, and never a value. */
export class EnvironmentError extends WrongInput {}

export function readEnvironment(variables: Variables): Environment {
  const problems: string[] = [];
  const given: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== '') given[name] = value;
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name}: is given twice, also as ${name}_FILE; give one of them`);
    else given[name] = readSecret(`${name}_FILE`, path, problems);
  }
  if ((given['TEMPORAL_TLS_CERT'] === undefined) !== (given['TEMPORAL_TLS_KEY'] === undefined)) {
    problems.push('TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY: give both or none');
  }
  const read = SCHEMA.safeParse(given);
  if (!read.success) {
    problems.push(...read.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  }
  const { PAYRUN_REQUESTS_PER_DAY: perDay = 0, PAYRUN_REQUESTS_RESERVED_PER_DAY: reserved } = read.data ?? {};
  if (perDay > 0 && reserved !== undefined && reserved >= perDay) {
    problems.push('PAYRUN_REQUESTS_RESERVED_PER_DAY: give fewer than PAYRUN_REQUESTS_PER_DAY, or nothing is begun');
  }
  if (problems.length > 0 || !read.success) {
    throw new EnvironmentError(
      `these environment variables are wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return read.data;
}

function readSecret(name: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    problems.push(`${name}: the file it names cannot be read`);
    return undefined;
  }
}

/** The data folder, absolute: `.payrun` below the working directory unless PAYRUN_HOME names another. */
export function homeOf(environment: Environment, workingDirectory: string): string {
  const home = environment.PAYRUN_HOME ?? '.payrun';
  return isAbsolute(home) ? home : resolve(workingDirectory, home);
}

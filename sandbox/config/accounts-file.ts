import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { balanceProblem, type SandboxAccount } from './accounts.ts';
import { webhookHeaders } from '../webhooks/webhook-headers.ts';

const text = z.string('must be text').min(1, 'must not be empty');
const limit = z.int('must be a whole number').min(0, 'must not be negative; 0 lifts the limit');

const balances = z.record(z.string(), z.string('must be text, e.g. "2500.00"')).superRefine((amounts, context) => {
  for (const [code, amount] of Object.entries(amounts)) {
    const message = balanceProblem(code, amount);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [code], message });
  }
});

const account: z.ZodType<SandboxAccount> = z.strictObject({
  apiKey: text,
  accessKeyId: text,
  secretAccessKey: text,
  balances: balances.optional(),
  webhookUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address, or null' }).nullish(),
  webhookHeaders: webhookHeaders.optional(),
  limitPerSecond: limit.optional(),
  limitPerDay: limit.optional(),
});

/**
 * Reads the callers of a sandbox from a file: a JSON list of accounts, at least one.
 * @throws Error that names the file, every wrong entry (the first is 1) and its field, and no secret
 */
export function readAccountsFile(path: string): SandboxAccount[] {
  const result = z.array(account, 'must be a list of accounts').min(1, 'must not be empty').safeParse(read(path));
  if (!result.success) {
    const problems = result.error.issues.map(({ path: [index, ...field], message }) =>
      typeof index === 'number'
        ? `entry ${index + 1}: ${[field.join('.'), message].filter(Boolean).join(': ')}`
        : message,
    );
    throw new Error(`${path}: ${problems.join('; ')}`);
  }
  const entryByKey = new Map<string, number>();
  for (const [index, { apiKey }] of result.data.entries()) {
    const other = entryByKey.get(apiKey);
    if (other) throw new Error(`${path}: entry ${index + 1}: apiKey: is used in entry ${other} already`);
    entryByKey.set(apiKey, index + 1);
  }
  return result.data;
}

/** The parser's message quotes the file, which contains secrets: only the position is reported. */
function read(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    const [where = 'at its end'] = /at position \d+/.exec((error as SyntaxError).message) ?? [];
    throw new Error(`${path}: is not JSON, ${where}`);
  }
}

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_ACCOUNT } from '../domain/identifiers.ts';
import type { ServerAccount } from './account-settings.ts';
import { writeWhole } from './whole-file.ts';

/** The secret parts of an account's webhook addresses: the configured ones, else one made at the first start and kept. */
export function webhookTokens(home: string, account: Pick<ServerAccount, 'name' | 'webhookTokens'>): readonly string[] {
  const file = account.name === DEFAULT_ACCOUNT ? 'webhook-token' : `webhook-token-${account.name}`;
  return account.webhookTokens ?? [keptToken(join(home, file))];
}

function keptToken(path: string): string {
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept !== '') return kept;
  } catch {
    // The first start: there is none yet.
  }
  const made = randomBytes(24).toString('base64url');
  mkdirSync(join(path, '..'), { recursive: true });
  writeWhole(path, `${made}\n`);
  return made;
}

/** Whether the operators of an account have given its webhooks a secret, as a real provider needs. */
export function hasOwnWebhookSecret({
  webhookTokens: tokens,
  webhookHeaders,
}: Pick<ServerAccount, 'webhookTokens' | 'webhookHeaders'>): boolean {
  return tokens !== undefined || Object.keys(webhookHeaders).length > 0;
}

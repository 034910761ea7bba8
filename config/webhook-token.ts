import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './whole-file.ts';

/** The secret part of the webhook address: the configured one, else one made at the first start and kept. */
export function webhookToken(home: string, configured: string | undefined): string {
  return configured ?? keptToken(join(home, 'webhook-token'));
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

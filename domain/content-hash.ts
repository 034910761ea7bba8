import { createHash } from 'node:crypto';

/** SHA-256, hex. */
export function contentSha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

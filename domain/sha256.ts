import { hash } from 'node:crypto';

/**
 * SHA-256, hex. The content hash of a run, to which an approval is bound, is made in the database by `run_content_hash`:
 * see docs/database-functions.md and store/approvals/run-approval.ts.
 */
export function contentSha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** The same as 32 bytes. */
export function sha256Bytes(content: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hash('sha256', content, 'buffer'));
}

import { createHmac } from 'node:crypto';

/**
 * The headers of a webhook by Standard Webhooks (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA-256 over id,
 * time and body, one signature for each secret. A receiver accepts what one of its secrets signed.
 */
export function signatureHeaders(
  webhook: { id: string; body: string },
  secrets: readonly Uint8Array[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = `${webhook.id}.${timestamp}.${webhook.body}`;
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  return { 'webhook-id': webhook.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

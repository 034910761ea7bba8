import { isRecord, type Json } from '../core/json.ts';

/** A forged notification: the original one with a successful final status. */
export function forgedBody(body: Json): Json {
  if (!isRecord(body)) return body;
  const status = body['resource'] === 'user' || body['action'] === 'request' ? 'approved' : 'completed';
  return { ...body, status, ...('reason' in body ? { reason: null } : {}) };
}

import { isRecord, type Json } from '../core/json.ts';

/** A forged notification: the original one with a successful final status. */
export function forgedBody(body: Json): Json {
  if (!isRecord(body)) return body;
  // A notification of a user may not name its resource.
  const isOfUser = (body['resource'] ?? 'user') === 'user' && 'resourceId' in body;
  const status = isOfUser || body['action'] === 'request' ? 'approved' : 'completed';
  return { ...body, status, ...('reason' in body ? { reason: null } : {}) };
}

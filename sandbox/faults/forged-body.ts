import { isRecord, type Json } from '../core/json.ts';

/** What somebody who wants a good end to be believed would send: the notification, its status a good and last one. */
export function forgedBody(body: Json): Json {
  if (!isRecord(body)) return body;
  const status = body['resource'] === 'user' || body['action'] === 'request' ? 'approved' : 'completed';
  return { ...body, status, ...('reason' in body ? { reason: null } : {}) };
}

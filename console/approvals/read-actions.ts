import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import { api } from '../calls/api.ts';

/** Of one request: names may be long, and Node.js takes 16 KB for an address and all headers. */
const MOST_TARGETS = 50;

/** What names a thing that has no id: its parts, of which any may have any characters. */
export function nameOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/** What one may do with things of a kind, by their ids or names. */
export async function readActions(
  kind: 'break' | 'stop' | 'change' | 'receipt' | 'day',
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly AllowedAction[]>> {
  const allowedOf = new Map<string, readonly AllowedAction[]>();
  for (let first = 0; first < ids.length; first += MOST_TARGETS) {
    const of = ids.slice(first, first + MOST_TARGETS).map((id) => `${kind}:${id}`);
    const { actions } = await api.listActions({ of }, { signal });
    for (const [target, allowed] of Object.entries(actions)) allowedOf.set(target.slice(kind.length + 1), allowed);
  }
  return allowedOf;
}

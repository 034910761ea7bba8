import type { Inbox } from '../../api/inbox/inbox.ts';
import type { SearchAnswer } from '../../api/inbox/search.ts';
import { call } from './call.ts';

export function readInbox(signal: AbortSignal): Promise<Inbox> {
  return call<Inbox>({ path: '/inbox', signal });
}

export function search(text: string, signal: AbortSignal): Promise<SearchAnswer> {
  return call<SearchAnswer>({ path: '/search', query: { q: text }, signal });
}

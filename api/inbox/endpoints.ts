import { json, text } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { inboxSchema } from './inbox.ts';
import { searchAnswerSchema, searchQuery } from './search.ts';
import { streamQuery } from './stream.ts';

/** What waits for a user, and what they look for. */
export const searchEndpoints = endpoints({
  getInbox: {
    method: 'GET',
    path: '/inbox',
    access: 'signed_in',
    limitedBy: 'user',
    tag: 'inbox',
    summary: 'What waits for you',
    description: 'By your roles and accounts: what you may decide now, and what somebody of your roles has to look at.',
    answers: { 200: json('By kind, the most urgent first.', inboxSchema) },
  },
  search: {
    method: 'GET',
    path: '/search',
    access: 'signed_in',
    limitedBy: 'user',
    reads: ['read_instructions'],
    tag: 'inbox',
    summary: 'Search runs, rows, orders and cases',
    description:
      'Names and amounts are looked for in the rows of the newest 200 runs, ids and references in all: the `row_ref`, and ' +
      'the payment reference, which is what the beneficiary reads on the statement. Payment references and account numbers ' +
      'need the permission read_instructions.',
    query: searchQuery,
    answers: { 200: json('What was found.', searchAnswerSchema) },
    errors: [400],
  },
});

/** One stream for everything that a browser watches: a browser has six connections to a server. */
export const streamEndpoints = endpoints({
  stream: {
    method: 'GET',
    path: '/stream',
    access: 'signed_in',
    limitedBy: 'user',
    tag: 'inbox',
    summary: 'What you watch, as it changes',
    description:
      'Server-sent events. Each has the whole present state of its topic: `inbox` your inbox, `run` a run, `runs` and ' +
      '`changed` that a list, an order or a case is to be read again, `gone` that there is no such thing for you. With the ' +
      'header Last-Event-ID, what has not changed since is not sent again. A stream ends after some minutes: connect again.',
    query: streamQuery,
    answers: { 200: text('The events.', 'text/event-stream') },
    errors: [400],
  },
});

export const inboxEndpoints = { ...searchEndpoints, ...streamEndpoints };

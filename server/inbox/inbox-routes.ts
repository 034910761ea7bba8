import { json, errorsOf } from '../../api/answers.ts';
import { inboxSchema } from '../../api/inbox/inbox.ts';
import { searchAnswerSchema, searchQuery } from '../../api/inbox/search.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** What waits for a user, and what they look for. */
export function addInboxRoutes(app: Api, application: Pick<Application, 'readInbox' | 'search'>): void {
  app.get('/inbox', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'getInbox',
      tags: ['inbox'],
      summary: 'What waits for you',
      description:
        'By your roles and accounts: what you may decide now, and what somebody of your roles has to look at.',
      response: { 200: json('By kind, the most urgent first.', inboxSchema), ...errorsOf() },
    },
    handler: (request) => application.readInbox(userOf(request)),
  });

  app.get('/search', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'search',
      tags: ['inbox'],
      summary: 'Search runs, rows, orders and cases',
      description:
        'Names and amounts are looked for in the rows of the newest 200 runs, ids and references in all: the `row_ref`, and ' +
        'the payment reference, which is what the beneficiary reads on the statement. Payment references and account numbers ' +
        'need the permission read_instructions.',
      querystring: searchQuery,
      response: { 200: json('What was found.', searchAnswerSchema), ...errorsOf(400) },
    },
    handler: (request) => application.search(userOf(request), request.query.q),
  });
}

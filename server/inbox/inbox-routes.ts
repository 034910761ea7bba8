import { searchEndpoints } from '../../api/inbox/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addInboxRoutes(app: Api, application: Pick<Application, 'readInbox' | 'search'>): void {
  serve(app, searchEndpoints, {
    getInbox: ({ user }) => application.readInbox(user),
    search: ({ user, query: { q } }) => application.search(user, q),
  });
}

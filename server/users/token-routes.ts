import { tokenEndpoints } from '../../api/users/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { managesUsers } from '../../application/users/signed-in.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

const MAX_CHANGES_SHOWN = 20;

type TokenApplication = Pick<Application, 'listTokens' | 'issueToken' | 'revokeToken' | 'listChanges'>;

export function addTokenRoutes(app: Api, application: TokenApplication): void {
  serve(app, tokenEndpoints, {
    getMe: async ({ user }) => {
      const { userId, login, name, roles, accounts, tokenId } = user;
      const filter = { pendingOnly: true, limit: MAX_CHANGES_SHOWN };
      const pendingChanges = roles.length === 0 ? [] : await application.listChanges(user, filter);
      return {
        userId,
        login,
        name,
        roles: [...roles],
        accounts: accounts === null ? null : [...accounts],
        tokenId,
        pendingChanges,
      };
    },
    listTokens: async ({ user, query: { own } }) => {
      // guard: tokens-of-others
      const all = !own && managesUsers(user);
      return { tokens: await application.listTokens(all ? null : user.userId) };
    },
    issueToken: ({ user, body }) => application.issueToken(user, body),
    revokeToken: ({ user, params: { tokenId } }) => application.revokeToken(user, tokenId),
  });
}

import { userAdministrationEndpoints } from '../../api/users/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

type UserApplication = Pick<
  Application,
  | 'listUsers'
  | 'addUser'
  | 'inviteUser'
  | 'grantRoles'
  | 'removeRole'
  | 'limitUser'
  | 'setMail'
  | 'disableUser'
  | 'enableUser'
>;

export function addUserRoutes(app: Api, application: UserApplication): void {
  serve(app, userAdministrationEndpoints, {
    grantRoles: ({ user, params: { userId }, body: { roles } }) => application.grantRoles(user, userId, roles),
    removeRole: ({ user, params: { userId, role } }) => application.removeRole(user, userId, role),
    limitUser: ({ user, params: { userId }, body: { accounts } }) => application.limitUser(user, userId, accounts),
    setMail: ({ user, params: { userId }, body: { mail } }) => application.setMail(user, userId, mail),
    listUsers: async () => ({ users: await application.listUsers() }),
    addUser: ({ user, body }) => application.addUser(user, body),
    inviteUser: ({ user, params: { userId } }) => application.inviteUser(user, userId),
    disableUser: ({ user, params: { userId } }) => application.disableUser(user, userId),
    enableUser: ({ user, params: { userId } }) => application.enableUser(user, userId),
  });
}

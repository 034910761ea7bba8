import type { PayrunClient, UserSummary } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';

/** By login, or by id. @throws WrongInput when there is none */
export async function userOf(client: PayrunClient, login: string): Promise<UserSummary> {
  const { users } = await client.listUsers();
  const user = users.find((candidate) => candidate.login === login || candidate.userId === login);
  if (user === undefined) throw new WrongInput(`there is no user ${printable(login)}: see 'payrun users list'`);
  return user;
}

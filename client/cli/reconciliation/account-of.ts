import type { PayrunClient } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';

/** The named account, else the only one. @throws WrongInput with the names if there are several */
export async function accountOf(client: PayrunClient, name: string | undefined): Promise<string> {
  if (name !== undefined) return name;
  const names = (await client.listBalances()).accounts.map(({ account }) => account);
  const [only, ...others] = names;
  if (only === undefined) throw new WrongInput('there is no account that you may use');
  if (others.length > 0) throw new WrongInput(`say which account with --account: ${names.join(', ')}`);
  return only;
}

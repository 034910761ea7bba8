import { useAddress } from '../elements/use-address.ts';
import { useSession } from '../shell/session.tsx';

/** Whose book is shown: the address says it, else the first account that the user may use. Null: there is none. */
export function useAccount(): string | null {
  const { search } = useAddress();
  const { usableAccounts } = useSession();
  return search.account ?? usableAccounts[0] ?? null;
}

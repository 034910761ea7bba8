import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { AccountBalances } from '../../api/accounts/balance.ts';
import { api } from '../calls/api.ts';

/** The accounts that one may use, with their balances. */
export function useBalances(refetchInterval: number | false = false): UseQueryResult<AccountBalances[]> {
  return useQuery({
    queryKey: ['balances'],
    queryFn: async ({ signal }) => (await api.listBalances({}, { signal })).accounts,
    refetchInterval,
  });
}

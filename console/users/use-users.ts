import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { UserSummary } from '../../api/users/user.ts';
import { api } from '../calls/api.ts';

/** All users, for whoever may read them. */
export function useUsers(enabled = true): UseQueryResult<UserSummary[]> {
  return useQuery({
    queryKey: ['users'],
    queryFn: async ({ signal }) => (await api.listUsers({}, { signal })).users,
    enabled,
  });
}

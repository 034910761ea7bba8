import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { SignInMethods } from '../../api/users/session.ts';
import { api } from '../calls/api.ts';
import { SESSION_KEY } from '../shell/session.tsx';

/** How one can sign in here. */
export function useSignInMethods(): UseQueryResult<SignInMethods> {
  return useQuery({
    queryKey: [...SESSION_KEY, 'methods'],
    queryFn: ({ signal }) => api.getSignInMethods({}, { signal }),
    retry: false,
  });
}

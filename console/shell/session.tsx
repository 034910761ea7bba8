import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { Session } from '../../api/users/session.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { call, onSignedOut } from '../calls/call.ts';
import { Failed } from '../elements/page.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only for what is shown inside `SignedIn`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

export function useMay(permission: Session['permissions'][number]): boolean {
  return useSession().permissions.includes(permission);
}

export const SESSION_KEY = ['session'] as const;

/** Shows its children to somebody who is signed in, and the page for signing in to anybody else. */
export function SignedIn(props: { signIn: ReactNode; children: ReactNode }): ReactNode {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => readSession(signal),
    staleTime: 60_000,
  });
  useEffect(() => onSignedOut(() => void queries.invalidateQueries({ queryKey: SESSION_KEY })), [queries]);
  useEffect(() => {
    // Nothing of one user is shown to the next one.
    if (session.data === null) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [session.data, queries]);
  if (session.data === undefined) {
    return session.isError ? (
      <div className="page">
        <Failed error={session.error} onRetry={() => void session.refetch()} />
      </div>
    ) : (
      <ShellSkeleton />
    );
  }
  if (session.data === null) return props.signIn;
  return <SessionContext value={session.data}>{props.children}</SessionContext>;
}

/** Null: nobody is signed in. */
async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await call<Session>({ path: '/session', signal });
  } catch (error) {
    if (error instanceof PayrunApiError && error.status === 401) return null;
    throw error;
  }
}

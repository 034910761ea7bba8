import type { QueryClient } from '@tanstack/react-query';

/** Once one has signed out, or somebody else has signed in: nothing that was read or kept for one user is left, but for who is signed in. */
export function forgetWhatWasRead(queries: QueryClient, sessionKey: readonly unknown[]): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

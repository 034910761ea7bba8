import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Skeleton } from './page.tsx';

/** What a query has loaded; its skeleton before, and what went wrong beside what was loaded earlier. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query, lines = 6, children } = props;
  const retry = (): void => void query.refetch();
  if (query.data === undefined) {
    return query.isError ? <Failed error={query.error} onRetry={retry} /> : <Skeleton lines={lines} />;
  }
  return (
    <>
      {query.isError ? <Failed error={query.error} onRetry={retry} /> : null}
      {children(query.data)}
    </>
  );
}

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';

/** As much of a query as it takes to say that it failed. */
interface Reading {
  data: unknown;
  isError: boolean;
  refetch: () => unknown;
}

/** In the place of what could not be read, where it is less than a page: what it is, and a way to read it. */
export function Unread({ query, what }: { query: Reading; what: string }): ReactNode {
  if (!query.isError || query.data !== undefined) return null;
  return (
    <div className="row no-print" role="alert" style={{ gap: 8 }}>
      <Mark tone="failed">{what} could not be read.</Mark>
      <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}

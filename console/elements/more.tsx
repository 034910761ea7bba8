import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Blank, Failed, Skeleton } from './page.tsx';

/** The parts of a long list as they were loaded: its skeleton, its error, what there is, and the button for more. */
export function Pages<Item>(props: {
  query: UseInfiniteQueryResult;
  items: readonly Item[];
  blank: { title: string; text?: string; next?: ReactNode };
  more: string;
  children: (items: readonly Item[]) => ReactNode;
}): ReactNode {
  const { query, items, blank, more, children } = props;
  return (
    <>
      {query.isPending ? <Skeleton lines={10} /> : null}
      {query.isError ? <Failed error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isSuccess && items.length === 0 ? (
        <Blank title={blank.title}>
          {blank.text === undefined ? null : <p>{blank.text}</p>}
          {blank.next}
        </Blank>
      ) : null}
      {items.length === 0 ? null : children(items)}
      {query.hasNextPage ? (
        <div className="no-print">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

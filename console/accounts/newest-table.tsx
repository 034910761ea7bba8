import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';

/** How many of a list are asked for. */
export const MOST_LISTED = 200;

/** The newest of a list that the server cuts, which says so: nobody takes a part for all of it. */
export function NewestTable<List extends { hasMore: boolean }, Row>(props: {
  query: UseQueryResult<List>;
  rowsOf: (list: List) => readonly Row[];
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  hrefOf?: (row: Row) => string;
  blank: { title: string; text: ReactNode };
}): ReactNode {
  const { query, rowsOf, label, columns, keyOf, hrefOf, blank } = props;
  return (
    <Loaded query={query}>
      {(list) => {
        const rows = rowsOf(list);
        if (rows.length === 0) return <Blank title={blank.title}>{blank.text}</Blank>;
        return (
          <>
            <Table {...{ label, rows, columns, keyOf }} {...(hrefOf === undefined ? {} : { hrefOf })} />
            {list.hasMore ? <Cut /> : null}
          </>
        );
      }}
    </Loaded>
  );
}

function Cut(): ReactNode {
  return (
    <span className="muted small">
      The newest {formatCount(MOST_LISTED)} are shown; there are older ones, which{' '}
      <Link to="/accounts/history">the history</Link> has. An account or a currency shortens the list.
    </span>
  );
}

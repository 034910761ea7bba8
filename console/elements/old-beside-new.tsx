import type { ReactNode } from 'react';

/** Null: there is none. */
export interface OldAndNew {
  name: string;
  old: string | null;
  new: string | null;
}

/** Old beside new, with what differs marked in both. */
export function OldBesideNew(props: {
  label: string;
  /** Above the names of the rows; null: it says itself what they are. */
  what: string | null;
  /** Above the old texts; null: there are none. */
  oldName: string | null;
  newName: string;
  rows: readonly OldAndNew[];
  /** Nothing is known of what was before, so that nothing differs. */
  isOldUnknown?: boolean;
}): ReactNode {
  const { label, what, oldName, newName, rows, isOldUnknown = false } = props;
  return (
    <div className="table-wrap">
      <table className="change" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{what ?? <span className="unseen">Field</span>}</th>
            {oldName === null ? null : <th scope="col">{oldName}</th>}
            <th scope="col">{newName}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, old, new: text }) => {
            const differs = oldName !== null && !isOldUnknown && old !== text;
            return (
              <tr key={name} data-differs={differs}>
                <th scope="row">{name}</th>
                {oldName === null ? null : <td>{isOldUnknown ? <Muted>not known</Muted> : oldText(old, differs)}</td>}
                <td>{differs ? <mark>{text ?? 'none'}</mark> : (text ?? '–')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function oldText(old: string | null, differs: boolean): ReactNode {
  if (!differs) return old ?? '–';
  return old === null ? <Muted>none</Muted> : <del>{old}</del>;
}

function Muted({ children }: { children: string }): ReactNode {
  return <span className="muted">{children}</span>;
}

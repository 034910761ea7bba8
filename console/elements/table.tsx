import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from 'react';

export interface Column<Row> {
  name: string;
  /** Beside the header, for readers of the screen. */
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Makes the column sortable. Amounts are sorted by `compareAmounts`. */
  compare?: (one: Row, other: Row) => number;
  /** Left out where the screen is narrow. */
  isWideOnly?: boolean;
  width?: number;
}

interface Sorting {
  column: number;
  isDescending: boolean;
}

/**
 * Rows of things. A row with an address opens with a click anywhere on it; the link in its first cell is what keyboards and
 * readers use. Arrow keys, `j` and `k` move between rows.
 */
export function Table<Row>(props: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  hrefOf?: (row: Row) => string;
}): ReactNode {
  const { label, rows, columns, keyOf, hrefOf } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const navigate = useNavigate();
  const sorted = useMemo(() => sortedBy(rows, columns, sorting), [rows, columns, sorting]);
  const open = (event: MouseEvent, row: Row): void => {
    if (hrefOf === undefined || event.defaultPrevented || isOwnControl(event.target)) return;
    if (window.getSelection()?.toString() !== '') return;
    void navigate({ href: hrefOf(row) });
  };
  return (
    <div className="table-wrap">
      <table className="table" aria-label={label} onKeyDown={moveBetweenRows}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Header
                key={column.name}
                column={column}
                sorting={sorting?.column === index ? sorting : null}
                onSort={() => setSorting(nextSorting(sorting, index))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr
              key={keyOf(row)}
              className={hrefOf === undefined ? undefined : 'open'}
              onClick={(event) => open(event, row)}
            >
              {columns.map((column) => (
                <td key={column.name} className={classOf(column)} data-name={column.name}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Header<Row>(props: { column: Column<Row>; sorting: Sorting | null; onSort: () => void }): ReactNode {
  const { column, sorting, onSort } = props;
  const direction = sorting === null ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  const Icon = sorting === null ? IconSelector : sorting.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" className={classOf(column)} aria-sort={column.compare === undefined ? undefined : direction}>
      {column.compare === undefined ? (
        column.name
      ) : (
        <button type="button" onClick={onSort}>
          {column.name} <Icon size={12} aria-hidden="true" />
        </button>
      )}
    </th>
  );
}

function classOf<Row>({ align, isWideOnly }: Column<Row>): string {
  return `${align ?? ''} ${isWideOnly === true ? 'wide-only' : ''}`.trim();
}

function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
}

function sortedBy<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | null): readonly Row[] {
  const compare = sorting === null ? undefined : columns[sorting.column]?.compare;
  if (sorting === null || compare === undefined) return rows;
  const sorted = [...rows].sort(compare);
  return sorting.isDescending ? sorted.reverse() : sorted;
}

function isOwnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, select') !== null;
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return;
  moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1, event.target);
  event.preventDefault();
}

/** Moves the focus to the link of the next or the previous row; to the first when none has it. */
export function moveFocus(table: Element, by: 1 | -1, from: EventTarget | null): void {
  const links = [...table.querySelectorAll<HTMLElement>('tbody tr')].flatMap((row) => {
    const link = row.querySelector<HTMLElement>('a, button');
    return link === null ? [] : [{ row, link }];
  });
  const current = links.findIndex(({ row }) => from instanceof Node && row.contains(from));
  links[current === -1 ? 0 : Math.min(Math.max(current + by, 0), links.length - 1)]?.link.focus();
}

export function compareText(one: string | null, other: string | null): number {
  return (one ?? '').localeCompare(other ?? '');
}

/** Decimal strings by their value, without making numbers of them. */
export function compareAmounts(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const isNegative = one.startsWith('-');
  if (isNegative !== other.startsWith('-')) return isNegative ? -1 : 1;
  const magnitude = compareMagnitudes(one.replace('-', ''), other.replace('-', ''));
  return isNegative ? -magnitude : magnitude;
}

function compareMagnitudes(one: string, other: string): number {
  const [whole = '', decimals = ''] = one.split('.');
  const [otherWhole = '', otherDecimals = ''] = other.split('.');
  const width = Math.max(whole.length, otherWhole.length);
  const left = `${whole.padStart(width, '0')}.${decimals.padEnd(12, '0')}`;
  const right = `${otherWhole.padStart(width, '0')}.${otherDecimals.padEnd(12, '0')}`;
  return left === right ? 0 : left < right ? -1 : 1;
}

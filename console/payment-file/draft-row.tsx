import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import type { ClipboardEvent, ReactNode } from 'react';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import type { DraftRow } from '../../api/payment-file/draft.ts';
import { type CellEdit, keyOf, type Pending } from './draft-edits.ts';

/** A row of a draft: each problem stands in its cell, and cells are edited where they are. */
export function DraftTableRow(props: {
  row: DraftRow;
  columns: readonly string[];
  fields: readonly (readonly string[])[];
  cells: Pending['cells'];
  /** It is not submitted, or will not be once that is saved. */
  isGone: boolean;
  isOld: boolean;
  onEdit: (cell: CellEdit) => void;
  onPaste: (event: ClipboardEvent, columnIndex: number) => void;
  onRemove: () => void;
  onRestore: () => void;
}): ReactNode {
  const { row, columns, fields, cells, isGone, isOld, onEdit, onPaste, onRemove, onRestore } = props;
  const atReference = fields.findIndex((filled) => filled.includes('row_ref'));
  const reference = cells.get(keyOf(row.row, columns[atReference] ?? ''))?.value ?? row.cells[atReference] ?? '';
  return (
    <tr data-gone={isGone}>
      <th scope="row">
        {row.row} <span className="draft-ref wide-only">{reference}</span>
        {isGone ? (
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={`Put row ${row.row} back`}
            disabled={isOld}
            onClick={onRestore}
          >
            <IconArrowBackUp size={14} />
          </ActionIcon>
        ) : (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="red"
            aria-label={`Remove row ${row.row}`}
            disabled={isOld}
            onClick={onRemove}
          >
            <IconTrash size={14} />
          </ActionIcon>
        )}
      </th>
      {columns.map((column, columnIndex) => (
        <Cell
          key={column}
          row={row}
          column={column}
          fields={fields[columnIndex] ?? []}
          saved={row.cells[columnIndex] ?? ''}
          edited={cells.get(keyOf(row.row, column))?.value ?? null}
          isReadOnly={isOld || isGone}
          onChange={(value) => onEdit({ row: row.row, column, value })}
          onPaste={(event) => onPaste(event, columnIndex)}
        />
      ))}
    </tr>
  );
}

function Cell(props: {
  row: DraftRow;
  column: string;
  fields: readonly string[];
  saved: string;
  edited: string | null;
  isReadOnly: boolean;
  onChange: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}): ReactNode {
  const { row, column, fields, saved, edited, isReadOnly, onChange, onPaste } = props;
  const isHere = (problem: RowProblem): boolean => problem.column !== null && fields.includes(problem.column);
  const problems = row.problems.filter(isHere);
  const warnings = row.warnings.filter(isHere);
  const why = [...problems, ...warnings].map(({ problem, fix }) => `${problem}: ${fix}`).join('; ');
  return (
    <td data-wrong={problems.length > 0 && edited === null} data-edited={edited !== null}>
      {edited !== null && saved !== '' ? <del>{saved}</del> : null}
      <input
        aria-label={`${column} of row ${row.row}`}
        aria-invalid={problems.length > 0 && edited === null}
        value={edited ?? saved}
        readOnly={isReadOnly}
        onPaste={isReadOnly ? undefined : onPaste}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {why === '' || edited !== null ? null : <span className="why">{why}</span>}
    </td>
  );
}

import { ActionIcon, Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import type { DraftRow } from '../../api/payment-file/draft.ts';
import { counted } from '../elements/formats.ts';

export interface CellEdit {
  row: number;
  column: string;
  value: string;
}

/** What was typed, with what it was before: undo takes the last step back. */
type Edits = ReadonlyMap<string, CellEdit>;

const keyOf = (row: number, column: string): string => `${row}/${column}`;

/** Rows of a draft: each problem stands in its cell, cells are edited where they are, a block of Excel is pasted. */
export function DraftTable(props: {
  columns: readonly string[];
  /** Our name of each column, as problems name it. */
  fields: readonly (string | null)[];
  rows: readonly DraftRow[];
  isSaving: boolean;
  onSave: (cells: CellEdit[]) => void;
  onRemove: (row: number) => void;
}): ReactNode {
  const { columns, fields, rows, isSaving, onSave, onRemove } = props;
  const [steps, setSteps] = useState<readonly Edits[]>([]);
  const edits = steps.at(-1) ?? new Map<string, CellEdit>();
  const edit = (cells: readonly CellEdit[]): void => {
    setSteps([...steps, new Map([...edits, ...cells.map((cell) => [keyOf(cell.row, cell.column), cell] as const)])]);
  };
  const paste = (event: ClipboardEvent, rowIndex: number, columnIndex: number): void => {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    edit(pastedCells(text, rows.slice(rowIndex), columns.slice(columnIndex)));
  };
  return (
    <div className="stack">
      <div className="draft-wrap" role="region" aria-label="Rows to correct" tabIndex={0}>
        <table className="draft">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <Row
                key={row.row}
                row={row}
                columns={columns}
                fields={fields}
                edits={edits}
                onEdit={edit}
                onPaste={(event, columnIndex) => paste(event, rowIndex, columnIndex)}
                onRemove={() => onRemove(row.row)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className="sticky-actions">
        <span role="status">
          {edits.size === 0 ? 'No changes yet' : `${counted(edits.size, 'cell')} changed, not saved`}
        </span>
        <span className="row">
          <Button variant="default" disabled={steps.length === 0} onClick={() => setSteps(steps.slice(0, -1))}>
            Undo
          </Button>
          <Button disabled={edits.size === 0} loading={isSaving} onClick={() => onSave([...edits.values()])}>
            Save and check
          </Button>
        </span>
      </div>
    </div>
  );
}

function Row(props: {
  row: DraftRow;
  columns: readonly string[];
  fields: readonly (string | null)[];
  edits: Edits;
  onEdit: (cells: readonly CellEdit[]) => void;
  onPaste: (event: ClipboardEvent, columnIndex: number) => void;
  onRemove: () => void;
}): ReactNode {
  const { row, columns, fields, edits, onEdit, onPaste, onRemove } = props;
  return (
    <tr>
      <th scope="row">
        {row.row}{' '}
        <ActionIcon size="sm" variant="subtle" color="red" aria-label={`Remove row ${row.row}`} onClick={onRemove}>
          <IconTrash size={14} />
        </ActionIcon>
      </th>
      {columns.map((column, columnIndex) => (
        <Cell
          key={column}
          row={row}
          column={column}
          field={fields[columnIndex] ?? column}
          saved={row.cells[columnIndex] ?? ''}
          edited={edits.get(keyOf(row.row, column))?.value ?? null}
          onChange={(value) => onEdit([{ row: row.row, column, value }])}
          onPaste={(event) => onPaste(event, columnIndex)}
        />
      ))}
    </tr>
  );
}

function Cell(props: {
  row: DraftRow;
  column: string;
  field: string;
  saved: string;
  edited: string | null;
  onChange: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}): ReactNode {
  const { row, column, field, saved, edited, onChange, onPaste } = props;
  const problems = row.problems.filter((problem) => problem.column === field);
  const warnings = row.warnings.filter((problem) => problem.column === field);
  const why = [...problems, ...warnings].map(({ problem, fix }) => `${problem}: ${fix}`).join('; ');
  return (
    <td data-wrong={problems.length > 0 && edited === null} data-edited={edited !== null}>
      {edited !== null && saved !== '' ? <del>{saved}</del> : null}
      <input
        aria-label={`${column} of row ${row.row}`}
        aria-invalid={problems.length > 0 && edited === null}
        defaultValue={edited ?? saved}
        key={edited ?? saved}
        onPaste={onPaste}
        onBlur={(event) => {
          const { value } = event.currentTarget;
          if (value !== (edited ?? saved)) onChange(value);
        }}
      />
      {why === '' || edited !== null ? null : <span className="why">{why}</span>}
    </td>
  );
}

/** A block as spreadsheets copy it, from the cell that it was pasted in. What does not fit is left out. */
function pastedCells(text: string, rows: readonly DraftRow[], columns: readonly string[]): CellEdit[] {
  return text.split(/\r?\n/).flatMap((line, rowIndex) =>
    line.split('\t').flatMap((value, columnIndex) => {
      const [row, column] = [rows[rowIndex]?.row, columns[columnIndex]];
      return row === undefined || column === undefined ? [] : [{ row, column, value: value.trim() }];
    }),
  );
}

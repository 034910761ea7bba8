import { ActionIcon, Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ClipboardEvent, ReactNode } from 'react';
import type { DraftRow } from '../../api/payment-file/draft.ts';
import { counted } from '../elements/formats.ts';
import { type CellEdit, type DraftEdits, type Edits, editsOf, keyOf, typed, undone } from './draft-edits.ts';

/** Rows of a draft: each problem stands in its cell, cells are edited where they are, a block of Excel is pasted. */
export function DraftTable(props: {
  columns: readonly string[];
  /** Our name of each column, as problems name it. */
  fields: readonly (string | null)[];
  rows: readonly DraftRow[];
  edits: DraftEdits;
  /** The rows are of another state of the draft: their numbers may mean other rows. */
  isOld: boolean;
  isSaving: boolean;
  onEdits: (edits: DraftEdits) => void;
  onSave: (cells: CellEdit[]) => void;
  onRemove: (row: number) => void;
}): ReactNode {
  const { columns, fields, rows, isOld, isSaving, onEdits, onSave, onRemove } = props;
  const edits = editsOf(props.edits);
  const savedIn = new Map(rows.map(({ row, cells }) => [row, cells]));
  const edit = (cells: readonly CellEdit[]): void => {
    if (isOld) return;
    const known = cells.map((cell) => ({
      ...cell,
      saved: savedIn.get(cell.row)?.[columns.indexOf(cell.column)] ?? '',
    }));
    onEdits(typed(props.edits, known));
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
                isOld={isOld}
                onEdit={edit}
                onPaste={(event, columnIndex) => paste(event, rowIndex, columnIndex)}
                onRemove={() => onRemove(row.row)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <SaveBar edits={props.edits} isOld={isOld} isSaving={isSaving} onEdits={onEdits} onSave={onSave} />
    </div>
  );
}

function SaveBar(props: {
  edits: DraftEdits;
  isOld: boolean;
  isSaving: boolean;
  onEdits: (edits: DraftEdits) => void;
  onSave: (cells: CellEdit[]) => void;
}): ReactNode {
  const { edits, isOld, isSaving, onEdits, onSave } = props;
  const cells = [...editsOf(edits).values()];
  return (
    <div className="sticky-actions">
      <span role="status">
        {cells.length === 0 ? 'No changes yet' : `${counted(cells.length, 'cell')} changed, not saved`}
      </span>
      <span className="row">
        <Button variant="default" disabled={edits.history.length < 2} onClick={() => onEdits(undone(edits))}>
          Undo
        </Button>
        <Button disabled={cells.length === 0 || isOld} loading={isSaving} onClick={() => onSave(cells)}>
          Save and check
        </Button>
      </span>
    </div>
  );
}

function Row(props: {
  row: DraftRow;
  columns: readonly string[];
  fields: readonly (string | null)[];
  edits: Edits;
  isOld: boolean;
  onEdit: (cells: readonly CellEdit[]) => void;
  onPaste: (event: ClipboardEvent, columnIndex: number) => void;
  onRemove: () => void;
}): ReactNode {
  const { row, columns, fields, edits, isOld, onEdit, onPaste, onRemove } = props;
  const atReference = fields.indexOf('row_ref');
  const reference = edits.get(keyOf(row.row, columns[atReference] ?? ''))?.value ?? row.cells[atReference] ?? '';
  return (
    <tr>
      <th scope="row">
        {row.row} <span className="draft-ref wide-only">{reference}</span>
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
      </th>
      {columns.map((column, columnIndex) => (
        <Cell
          key={column}
          row={row}
          column={column}
          field={fields[columnIndex] ?? column}
          saved={row.cells[columnIndex] ?? ''}
          edited={edits.get(keyOf(row.row, column))?.value ?? null}
          isOld={isOld}
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
  isOld: boolean;
  onChange: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}): ReactNode {
  const { row, column, field, saved, edited, isOld, onChange, onPaste } = props;
  const problems = row.problems.filter((problem) => problem.column === field);
  const warnings = row.warnings.filter((problem) => problem.column === field);
  const why = [...problems, ...warnings].map(({ problem, fix }) => `${problem}: ${fix}`).join('; ');
  return (
    <td data-wrong={problems.length > 0 && edited === null} data-edited={edited !== null}>
      {edited !== null && saved !== '' ? <del>{saved}</del> : null}
      <input
        aria-label={`${column} of row ${row.row}`}
        aria-invalid={problems.length > 0 && edited === null}
        value={edited ?? saved}
        readOnly={isOld}
        onPaste={onPaste}
        onChange={(event) => onChange(event.currentTarget.value)}
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

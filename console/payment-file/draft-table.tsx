import { Button } from '@mantine/core';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import type { Draft, DraftRow } from '../../api/payment-file/draft.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { counted } from '../elements/formats.ts';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import {
  canUndo,
  type CellEdit,
  countOf,
  type DraftEdits,
  type KnownCellEdit,
  type Pending,
  pendingOf,
  typed,
  undone,
  withStep,
} from './draft-edits.ts';
import { DraftTableRow } from './draft-row.tsx';
import { shownColumns } from './fill-rows.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { needsLook, type PastedBlock, pastedBlock } from './pasted-block.ts';

/** Where the rows are, for what leads to them. */
export const ROWS_TO_CORRECT = 'rows-to-correct';

/** Rows of a draft: a block of Excel is pasted, and every change is kept until it is saved. */
export function DraftTable(props: {
  draft: Pick<Draft, 'columns' | 'fields' | 'removedRows'>;
  rows: readonly DraftRow[];
  edits: DraftEdits;
  /** Not all rows are shown: those that are need not stand beside each other in the file. */
  isFiltered: boolean;
  /** The rows are of another state of the draft. */
  isOld: boolean;
  onEdits: (edits: DraftEdits) => void;
}): ReactNode {
  const { draft, rows, edits, isFiltered, isOld, onEdits } = props;
  const pending = pendingOf(edits);
  const { columns, fields } = shownColumns(draft, pending.cells.values());
  const removedRows = new Set(draft.removedRows);
  const isGone = (row: number): boolean =>
    removedRows.has(row) ? !pending.restored.has(row) : pending.removed.has(row);
  const savedIn = new Map(rows.map(({ row, cells }) => [row, cells]));
  const edit = (cell: CellEdit): void => {
    if (isOld) return;
    onEdits(typed(edits, [{ ...cell, saved: savedIn.get(cell.row)?.[columns.indexOf(cell.column)] ?? '' }]));
  };
  const pasting = usePasting(edits, onEdits);
  const paste = (event: ClipboardEvent, rowIndex: number, columnIndex: number): void => {
    const text = event.clipboardData.getData('text/plain');
    // The end of a single line is no second line.
    if (!/[\t\r\n]/.test(text.replace(/\r?\n$/, ''))) return;
    event.preventDefault();
    if (isOld) return;
    const below = rows.slice(rowIndex);
    const targets = below.filter(({ row }) => !isGone(row));
    pasting.take(pastedBlock(text, targets, columns, columnIndex), isFiltered || targets.length < below.length);
  };
  return (
    <>
      {pasting.dialog}
      <div id={ROWS_TO_CORRECT} className="draft-wrap" role="region" aria-label="Rows to correct" tabIndex={0}>
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
              <DraftTableRow
                key={row.row}
                row={row}
                columns={columns}
                fields={fields}
                cells={pending.cells}
                isGone={isGone(row.row)}
                isOld={isOld}
                onEdit={edit}
                onPaste={(event, columnIndex) => paste(event, rowIndex, columnIndex)}
                onRemove={() => onEdits(withStep(edits, { removed: [row.row] }))}
                onRestore={() => onEdits(withStep(edits, { restored: [row.row] }))}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A block is taken at once where it is plain where it goes; otherwise it is shown first. */
function usePasting(
  edits: DraftEdits,
  onEdits: (edits: DraftEdits) => void,
): { take: (block: PastedBlock, isFiltered: boolean) => void; dialog: ReactNode } {
  const asked = useAskedAbout<'paste'>(String(edits.revision));
  const [block, setBlock] = useState<PastedBlock | null>(null);
  const paste = (cells: readonly KnownCellEdit[]): void => {
    asked.close();
    onEdits(typed(edits, cells));
  };
  return {
    take: (given, isFiltered) => {
      if (needsLook(given, isFiltered)) {
        setBlock(given);
        asked.open('paste');
      } else {
        paste(given.cells);
      }
    },
    dialog: (
      <>
        <ChangedMeanwhile what="The draft" asked={asked} />
        <PasteDialog block={block} isOpen={asked.isOpen('paste')} onPaste={paste} onClose={asked.close} />
      </>
    ),
  };
}

/** What is not saved, in words, and its saving. It stays in view, whichever rows are shown. */
export function SaveBar(props: {
  edits: DraftEdits;
  isSaving: boolean;
  onEdits: (edits: DraftEdits) => void;
  onSave: (pending: Pending) => void;
}): ReactNode {
  const { edits, isSaving, onEdits, onSave } = props;
  const pending = pendingOf(edits);
  const count = countOf(pending);
  return (
    <div className="sticky-actions">
      <span role="status">{pendingInWords(pending)}</span>
      <span className="row">
        <Button variant="default" disabled={!canUndo(edits) || isSaving} onClick={() => onEdits(undone(edits))}>
          Undo
        </Button>
        <Button disabled={count === 0} loading={isSaving} onClick={() => onSave(pending)}>
          Save and check
        </Button>
      </span>
    </div>
  );
}

function pendingInWords({ cells, removed, restored }: Pending): string {
  const parts = [
    cells.size === 0 ? null : `${counted(cells.size, 'cell')} changed`,
    removed.size === 0 ? null : `${counted(removed.size, 'row')} removed`,
    restored.size === 0 ? null : `${counted(restored.size, 'row')} put back`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'No changes yet' : `${parts.join(', ')}, not saved`;
}

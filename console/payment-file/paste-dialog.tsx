import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../elements/dialog.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Notice } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import type { KnownCellEdit } from './draft-edits.ts';
import type { PastedBlock } from './pasted-block.ts';

const MOST_SHOWN = 100;

const COLUMNS: readonly Column<KnownCellEdit>[] = [
  { name: 'Row', cell: ({ row }) => <span className="numbers">{row}</span> },
  { name: 'Column', cell: ({ column }) => column },
  { name: 'Now', cell: ({ saved }) => <Value text={saved} /> },
  { name: 'Then', cell: ({ value }) => <Value text={value} /> },
];

function Value({ text }: { text: string }): ReactNode {
  return text === '' ? <span className="muted">nothing</span> : text;
}

/** Which lines of a pasted block go into which rows, and what of it does not fit, before it is taken. */
export function PasteDialog(props: {
  block: PastedBlock | null;
  isOpen: boolean;
  onPaste: (cells: readonly KnownCellEdit[]) => void;
  onClose: () => void;
}): ReactNode {
  const { block, isOpen, onPaste, onClose } = props;
  const cells = block?.cells ?? [];
  const rowCount = new Set(cells.map(({ row }) => row)).size;
  return (
    <Dialog title={`Paste into ${counted(rowCount, 'row')}?`} isOpen={isOpen} onClose={onClose}>
      <p style={{ margin: 0 }}>
        The lines go into the rows as they are shown, which need not stand beside each other in the file. Compare the
        first and the last of them.
      </p>
      {block === null ? null : <NotFitting block={block} />}
      <div style={{ maxHeight: '40vh', overflow: 'auto' }} tabIndex={0} role="region" aria-label="What is pasted">
        <Table
          label="Cells that change"
          rows={cells.slice(0, MOST_SHOWN)}
          columns={COLUMNS}
          keyOf={({ row, column }) => `${row}/${column}`}
        />
      </div>
      {cells.length > MOST_SHOWN ? (
        <p className="muted small" style={{ margin: 0 }}>
          The first {formatCount(MOST_SHOWN)} of {counted(cells.length, 'cell')}; the last row is {cells.at(-1)?.row}.
        </p>
      ) : null}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button disabled={cells.length === 0} onClick={() => onPaste(cells)}>
          Paste {counted(cells.length, 'cell')}
        </Button>
      </div>
    </Dialog>
  );
}

function NotFitting({ block: { linesLeft, cellsLeft } }: { block: PastedBlock }): ReactNode {
  if (linesLeft.length === 0 && cellsLeft.length === 0) return null;
  return (
    <Notice tone="failed" title="Not all of it fits">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {linesLeft.length === 0 ? null : (
          <li>
            {counted(linesLeft.length, 'line')} below the last row that is shown:{' '}
            {inShort(linesLeft.map((values) => values.join(' · ')))}
          </li>
        )}
        {cellsLeft.length === 0 ? null : (
          <li>
            cells right of the last column:{' '}
            {inShort(cellsLeft.map(({ row, values }) => `row ${row}: ${values.join(' · ')}`))}
          </li>
        )}
      </ul>
    </Notice>
  );
}

const MOST_NAMED = 10;

function inShort(texts: readonly string[]): string {
  const named = texts.slice(0, MOST_NAMED).join('; ');
  return texts.length > MOST_NAMED ? `${named}; and ${formatCount(texts.length - MOST_NAMED)} more` : named;
}

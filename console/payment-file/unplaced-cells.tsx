import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { counted } from '../elements/formats.ts';
import { Notice } from '../elements/page.tsx';
import type { DraftEdits } from './draft-edits.ts';

/** What was typed for rows that were removed elsewhere meanwhile: it is shown, to be typed again if they are put back. */
export function Unplaced({ edits, onSeen }: { edits: DraftEdits; onSeen: () => void }): ReactNode {
  const { unplaced } = edits;
  if (unplaced.length === 0) return null;
  return (
    <Notice tone="failed" title={`${counted(unplaced.length, 'cell')} of yours could not be kept`}>
      <div className="stack" style={{ gap: 6 }}>
        <span>Their rows were removed elsewhere. To type it again, put them back first. You had typed:</span>
        <ul style={{ margin: 0, paddingLeft: 18 }}>
          {unplaced.map(({ row, column, value }, index) => (
            <li key={index}>
              row {row}, {column}: <strong>{value === '' ? 'nothing' : value}</strong>
            </li>
          ))}
        </ul>
        <div>
          <Button size="xs" variant="default" onClick={onSeen}>
            I have seen it
          </Button>
        </div>
      </div>
    </Notice>
  );
}

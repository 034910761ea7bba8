import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { FileRefusedError } from '../../client/sdk/errors.ts';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { ProblemList } from './problem-list.tsx';
import { TableOptions } from './reading-file.tsx';
import type { SheetReading } from './use-reading.ts';

/** Why a file cannot be read, and what may be chosen so that it can. */
export function ReadingRefused({ reading }: { reading: SheetReading }): ReactNode {
  const { error, asked, readAs, undo } = reading;
  if (error === null || asked === null) return null;
  const back =
    undo === null ? null : (
      <div>
        <Button variant="default" size="xs" onClick={undo}>
          Undo the last choice
        </Button>
      </div>
    );
  if (!(error instanceof FileRefusedError)) {
    return (
      <>
        <Failed error={error} />
        {back}
      </>
    );
  }
  if (error.sheetNames.length > 0) return <SheetChoice error={error} onSheet={(sheetName) => readAs({ sheetName })} />;
  if (asked.profileFile !== null) {
    return (
      <Section title={`${asked.profileFile} does not fit this sheet`}>
        <div className="stack">
          <ProblemList problems={error.problems} problemCount={error.problemCount} />
          {back}
        </div>
      </Section>
    );
  }
  const { delimiter = null, headerLine = null } = asked.wanted;
  const mayBeElsewhere = error.problems.some(({ code }) => code === 'no_header');
  return (
    <Section title="The file cannot be read">
      <div className="stack">
        <Notice tone="failed" title="Nothing was submitted">
          Correct it in your own program and choose it again{mayBeElsewhere ? '; or say where its table is' : ''}.
        </Notice>
        <ProblemList problems={error.problems} problemCount={error.problemCount} />
        {mayBeElsewhere ? <TableOptions delimiter={delimiter} headerLine={headerLine} onReadAs={readAs} /> : null}
        {back}
      </div>
    </Section>
  );
}

function SheetChoice({ error, onSheet }: { error: FileRefusedError; onSheet: (name: string) => void }): ReactNode {
  const isOrder = error.problems.some(({ code }) => code === 'block_not_chosen');
  return (
    <Section title={isOrder ? 'Which block of the order is this run?' : 'Which sheet has the payments?'}>
      <div className="row">
        {error.sheetNames.map((name) => (
          <Button key={name} variant="default" onClick={() => onSheet(name)}>
            {name}
          </Button>
        ))}
      </div>
    </Section>
  );
}

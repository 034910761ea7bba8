import { Radio, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WantedReading } from '../../api/payment-file/reading.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Facts, Notice } from '../elements/page.tsx';
import { CommittedText } from './committed-text.tsx';
import type { Proposal } from './reading-profile.ts';
import { DELIMITERS } from '../../domain/import-profiles/profile-in-words.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** How the file itself is read: where its table is, and what is no payment. */
export function ReadingFile(props: {
  proposal: Proposal;
  wanted: WantedReading;
  onReadAs: (wanted: WantedReading) => void;
}): ReactNode {
  const { proposal, wanted, onReadAs } = props;
  const { form, profile, rowCount, droppedColumns } = proposal;
  const { encoding, delimiter, sheetName, headerLine } = profile.reading;
  return (
    <div className="stack">
      <div className="columns">
        <Facts
          of={[
            ['File', FORMS[form]],
            sheetName === null ? null : [form === 'pain001' ? 'Block' : 'Sheet', sheetName],
            form !== 'csv' ? null : ['Encoding', encoding ?? 'to be decided'],
            ['Rows', formatCount(rowCount)],
            droppedColumns.length === 0 ? null : ['Empty columns', droppedColumns.join(', ')],
            ['Columns', whereFrom(proposal)],
          ]}
        />
        <TableOptions delimiter={delimiter} headerLine={headerLine} onReadAs={onReadAs} />
      </div>
      <FileRemarks proposal={proposal} />
      {proposal.choices
        .filter(({ what }) => what === 'encoding')
        .map((choice) => (
          <EncodingChoice key={choice.chosen} choice={choice} value={wanted.encoding ?? null} onReadAs={onReadAs} />
        ))}
    </div>
  );
}

const FORMS = { csv: 'CSV', xlsx: 'Excel workbook', pain001: 'Payment order (pain.001)', json: 'JSON' } as const;

function whereFrom({ from, profile }: Proposal): string {
  switch (from) {
    case 'own_columns':
      return 'those of payrun';
    case 'known':
      return `as in an approved run, by “${profile.name}”`;
    case 'ready':
      return `those of “${profile.name}”, which payrun knows`;
    case 'given':
      return 'read as you decided';
    case 'proposed':
      return 'proposed from headers and cells: look at each';
  }
}

/** Where the table is, if payrun did not find it. */
export function TableOptions(props: {
  delimiter: string | null;
  headerLine: number | null;
  onReadAs: (wanted: WantedReading) => void;
}): ReactNode {
  const { delimiter, headerLine, onReadAs } = props;
  const delimiters = Object.entries(DELIMITERS).map(([value, label]) => ({ value, label }));
  const isOther = delimiter !== null && DELIMITERS[delimiter] === undefined;
  return (
    <div className="row fields-row">
      <CommittedText
        label="Line of the headers, 0: none"
        inputMode="numeric"
        w={150}
        value={headerLine === null ? '' : String(headerLine)}
        onCommit={(text) => {
          if (/^\d{1,3}$/.test(text.trim())) onReadAs({ headerLine: Number(text) });
        }}
      />
      {delimiter === null ? null : (
        <Select
          label="Cells are separated by"
          w={180}
          allowDeselect={false}
          data={isOther ? [...delimiters, { value: delimiter, label: delimiter }] : delimiters}
          value={delimiter}
          onChange={(value) => value !== null && onReadAs({ delimiter: value })}
        />
      )}
    </div>
  );
}

/** What is to be known of the file, and which of its lines are no payments. */
export function FileRemarks({ proposal: { notes, leftOut } }: { proposal: Proposal }): ReactNode {
  return (
    <>
      {notes.map(({ code, line, column, problem, fix }) => (
        <Notice
          key={`${code}/${line}/${column ?? ''}`}
          tone="waiting"
          title={line === 0 ? capitalized(problem) : `Line ${line}: ${problem}`}
        >
          {fix}
        </Notice>
      ))}
      {leftOut.count === 0 ? null : (
        <details open={leftOut.count <= 10}>
          <summary>
            <strong>{counted(leftOut.count, 'line')}</strong> of the file {leftOut.count === 1 ? 'is' : 'are'} no
            payment
          </summary>
          <ul className="reading-list">
            {leftOut.rows.map(({ line, because }) => (
              <li key={line}>
                Line {line}: {because}
              </li>
            ))}
          </ul>
          {leftOut.count > leftOut.rows.length ? (
            <p className="muted small">The first {formatCount(leftOut.rows.length)} of them.</p>
          ) : null}
        </details>
      )}
    </>
  );
}

function EncodingChoice(props: {
  choice: Proposal['choices'][number];
  value: string | null;
  onReadAs: (wanted: WantedReading) => void;
}): ReactNode {
  const { choice, value, onReadAs } = props;
  const { chosen, because, sample, others } = choice;
  return (
    <Radio.Group
      label="In which of these are names and letters right?"
      description={`The file does not say how its letters are stored. Perhaps ${chosen}: ${because}.`}
      value={value}
      onChange={(encoding) => onReadAs({ encoding })}
    >
      <div className="reading-samples">
        {[{ value: chosen, sample }, ...others].map((reading) => (
          <div key={reading.value} className="card">
            <Radio value={reading.value} label={reading.value} />
            <div className="reading-sample">
              {reading.sample.map((cells, index) => (
                <div key={index}>{cells.join(' · ')}</div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </Radio.Group>
  );
}

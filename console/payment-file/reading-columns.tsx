import { Button, MultiSelect, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FileColumn } from '../../api/payment-file/column.ts';
import { headerKey } from '../../domain/import-profiles/headers.ts';
import { Mark } from '../elements/mark.tsx';
import { CommittedText } from './committed-text.tsx';
import {
  type Candidate,
  candidatesOf,
  type ColumnName,
  isSameSource,
  opennessOf,
  type Profile,
  type Proposal,
  shownColumns,
  sourceFrom,
  sourceWithConstant,
  takesConstant,
  takesOneHeader,
  withSource,
} from './reading-profile.ts';
import { ReadingSteps } from './reading-steps.tsx';
import { NEEDS, suggestionsOf } from './reading-words.ts';

interface Reading {
  proposal: Proposal;
  profile: Profile;
  onDecide: (profile: Profile) => void;
}

/** What fills each of our columns. */
export function ReadingColumns({ columns, ...reading }: Reading & { columns: readonly FileColumn[] }): ReactNode {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [first] = useState(reading.proposal.missingColumns);
  const shown = shownColumns(reading, columns, { added, first });
  const others = columns.filter((column) => !shown.includes(column));
  return (
    <div className="stack">
      <div className="table-wrap">
        <table className="table reading-columns" aria-label="What fills the columns of payrun">
          <thead>
            <tr>
              <th scope="col">Column of payrun</th>
              <th scope="col">Is filled from</th>
              <th scope="col">Proposed</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((column) => (
              <ColumnRow key={column.name} column={column} {...reading} />
            ))}
          </tbody>
        </table>
      </div>
      <Select
        label="Fill another column"
        placeholder="Choose one"
        searchable
        maw={360}
        data={others.map(({ name }) => name)}
        value={null}
        onChange={(name) => name !== null && setAdded([...added, name])}
      />
    </div>
  );
}

function ColumnRow({ column, ...reading }: Reading & { column: FileColumn }): ReactNode {
  const name = column.name as ColumnName;
  const openness = opennessOf(reading.proposal, reading.profile, name);
  return (
    <tr data-open={openness ?? undefined}>
      <td>
        <div className="reading-name">
          <code className="mono">{name}</code>
          {openness === 'must' ? <Mark tone="waiting">To decide</Mark> : null}
          {openness === 'may' ? <Mark tone="neutral">Left empty</Mark> : null}
        </div>
        <div className="muted small">
          {column.description.replaceAll('`', '')} <em>{NEEDS[column.need]}.</em>
        </div>
      </td>
      <td data-name="Is filled from">
        <SourceFields name={name} column={column} {...reading} />
      </td>
      <td data-name="Proposed">
        <Reasons column={column} {...reading} />
      </td>
    </tr>
  );
}

function SourceFields({
  name,
  column,
  proposal,
  profile,
  onDecide,
}: Reading & { name: ColumnName; column: FileColumn }): ReactNode {
  const source = profile.columns[name];
  const from = (source?.from ?? []).map(
    (header) => proposal.headers.find((other) => headerKey(other) === headerKey(header)) ?? header,
  );
  const choose = (headers: string[]): void =>
    onDecide(withSource(profile, name, sourceFrom(proposal, profile, name, headers)));
  const fields = {
    placeholder: from.length === 0 ? 'no header' : '',
    data: proposal.headers,
    searchable: true,
    size: 'xs',
  };
  return (
    <div className="stack" style={{ gap: 6 }}>
      {takesOneHeader(name) ? (
        <Select
          {...fields}
          aria-label={`Header that fills ${name}`}
          clearable
          value={from[0] ?? null}
          onChange={(header) => choose(header === null ? [] : [header])}
        />
      ) : (
        <MultiSelect
          {...fields}
          aria-label={`Headers that fill ${name}`}
          maxValues={5}
          clearable
          value={from}
          onChange={choose}
        />
      )}
      {takesConstant(name, source) ? (
        <CommittedText
          size="xs"
          aria-label={from.length === 0 ? `Text of ${name} for every row` : `Text of ${name} where the cell is empty`}
          placeholder={
            from.length === 0 ? `a text for every row, such as ${column.example}` : 'a text where the cell is empty'
          }
          value={source?.constant ?? ''}
          onCommit={(text) => onDecide(withSource(profile, name, sourceWithConstant(profile, name, text)))}
        />
      ) : null}
      {source === undefined || source.from.length === 0 ? null : (
        <ReadingSteps
          {...{ column, source }}
          onChange={(change) => onDecide(withSource(profile, name, { ...source, ...change }))}
        />
      )}
    </div>
  );
}

const MOST_CANDIDATES = 5;

/** Why a column is filled as it is, and what else could fill it. */
function Reasons({ column, proposal, profile, onDecide }: Reading & { column: FileColumn }): ReactNode {
  const name = column.name as ColumnName;
  const source = profile.columns[name];
  const candidates = candidatesOf(proposal, name).slice(0, MOST_CANDIDATES);
  const isFromSheet = !takesConstant(name) || (source !== undefined && source.from.length > 0);
  const texts = isFromSheet ? [] : suggestionsOf(column);
  const chosenText = source?.constant ?? null;
  return (
    <ul className="reading-reasons">
      {candidates.map((candidate) => (
        <CandidateItem
          key={JSON.stringify(candidate.source)}
          {...{ name, candidate }}
          isChosen={isSameSource(source, candidate.source)}
          onChoose={() => onDecide(withSource(profile, name, candidate.source))}
        />
      ))}
      {texts
        .filter(({ text }) => text !== chosenText && !candidates.some((each) => each.source.constant === text))
        .map(({ text, meaning }) => (
          <li key={text}>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${name} is ${text} in every row`}
              onClick={() => onDecide(withSource(profile, name, sourceWithConstant(profile, name, text)))}
            >
              {text}
            </Button>{' '}
            {meaning === null ? null : <span className="muted">{meaning}</span>}
          </li>
        ))}
    </ul>
  );
}

function CandidateItem(props: {
  name: ColumnName;
  candidate: Candidate;
  isChosen: boolean;
  onChoose: () => void;
}): ReactNode {
  const { name, candidate, isChosen, onChoose } = props;
  const { source, reason, isSure } = candidate;
  if (isChosen) {
    return <li>{isSure ? <span className="muted">{reason}</span> : <span>Please check: {reason}</span>}</li>;
  }
  const title = source.from.length === 0 ? (source.constant ?? '') : source.from.join(' + ');
  return (
    <li>
      <Button size="compact-xs" variant="default" aria-label={`Fill ${name} with ${title}`} onClick={onChoose}>
        {title}
      </Button>{' '}
      <span className="muted">{reason}</span>
    </li>
  );
}

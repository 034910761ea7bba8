import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ScheduleProblem } from '../../api/treasury/schedule.ts';
import { counted } from '../elements/formats.ts';
import { Notice } from '../elements/page.tsx';
import type { ScheduleDraft } from './schedule-draft.ts';
import { capitalized } from '../../domain/capitalized.ts';

export interface FieldsProps {
  draft: ScheduleDraft;
  problems: readonly ScheduleProblem[];
  onChange: (parts: Partial<ScheduleDraft>) => void;
}

/** What the server says of a key, or of something within it; null: nothing. */
export function problemAt(problems: readonly ScheduleProblem[], field: string): string | null {
  const found = problems.filter((each) => each.field === field || each.field.startsWith(`${field}.`));
  return found.length === 0 ? null : found.map(({ problem, fix }) => `${capitalized(problem)}: ${fix}`).join('. ');
}

type TextKey = {
  [Key in keyof ScheduleDraft]: ScheduleDraft[Key] extends string
    ? string extends ScheduleDraft[Key]
      ? Key
      : never
    : never;
}[keyof ScheduleDraft];

/** A text of the draft, with what the server says of its key below it. */
export function DraftField(
  props: FieldsProps & {
    name: TextKey;
    /** As the schedule's file names it. */
    field: string;
    label: string;
    hint?: string | undefined;
    isNeeded?: boolean;
    isFixed?: boolean;
    type?: 'date';
    list?: string;
  },
): ReactNode {
  const { draft, problems, onChange, name, field, label, hint, isNeeded = false, isFixed = false } = props;
  const isCurrency = name === 'sell' || name === 'buy' || name === 'bought';
  return (
    <TextInput
      label={label}
      description={hint}
      withAsterisk={isNeeded}
      readOnly={isFixed}
      type={props.type ?? 'text'}
      list={props.list}
      error={problemAt(problems, field)}
      style={{ flex: '1 1 200px' }}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: isCurrency ? value.toUpperCase() : value })}
    />
  );
}

const SHOWN_AT_FIELDS = [
  ...['name', 'account', 'sell', 'buy', 'amount', 'floor', 'level', 'min_order', 'max_order', 'max_cost_bps'],
  ...['limit_price', 'horizon_days', 'margin_percent', 'sources', 'floors', 'time_zone', 'times', 'on'],
  ...['convention', 'from', 'until'],
];

/** Those that have no field to stand at. */
export function problemsWithoutField(problems: readonly ScheduleProblem[]): ScheduleProblem[] {
  return problems.filter(({ field }) => !SHOWN_AT_FIELDS.includes(field.split('.')[0] ?? ''));
}

export function ProblemList({ problems, count }: { problems: readonly ScheduleProblem[]; count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <Notice tone="failed" title={`It has ${counted(count, 'mistake')}: nothing was stored`}>
      {problems.length === 0 ? (
        'Each stands at its field.'
      ) : (
        <ul style={{ margin: 0, paddingLeft: 18 }}>
          {problems.map(({ field, problem, fix }) => (
            <li key={`${field}${problem}`}>
              {field === '' ? '' : `${field}: `}
              {problem}: {fix}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

import { Button, Checkbox, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RunFinding } from '../../api/runs/review.ts';
import { CalendarDay, Money } from '../elements/figures.tsx';
import { counted } from '../elements/formats.ts';
import { AccountChange, AccountFacts } from './account-change.tsx';
import { subjectOf } from './finding-words.ts';

const ANSWERS = ['Called them by a known number', 'Compared with the signed contract', 'Known change of bank'] as const;

/** One thing that stands out; an alarming one takes an answer, which is kept with the approval. */
export function FindingCard(props: {
  runId: string;
  finding: RunFinding;
  needsAnswer: boolean;
  answer: string | null;
  alike: number;
  onAnswer: (answer: string, isForAll: boolean) => void;
}): ReactNode {
  const { runId, finding, needsAnswer, answer, alike, onAnswer } = props;
  return (
    <div className="finding">
      <div className="row spread">
        <strong>{subjectOf(finding)}</strong>
        <Rows runId={runId} finding={finding} />
      </div>
      <Evidence finding={finding} />
      {needsAnswer ? <Answer answer={answer} alike={alike} onAnswer={onAnswer} /> : null}
    </div>
  );
}

function Rows({ runId, finding }: { runId: string; finding: RunFinding }): ReactNode {
  if (finding.kind === 'pays_later') return <span>{counted(finding.rowCount, 'row')}</span>;
  const [first] = finding.rows;
  const filter = finding.kind === 'failed_before' ? 'mark=failed_before' : `q=${encodeURIComponent(first ?? '')}`;
  return (
    <span className="row">
      {finding.amounts.map(({ currency, amount }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
      <Link to={`/runs/${runId}/rows?${filter}`}>
        {finding.rowCount === 1 ? first : counted(finding.rowCount, 'row')}
      </Link>
    </span>
  );
}

function Evidence({ finding }: { finding: RunFinding }): ReactNode {
  switch (finding.kind) {
    case 'account_changed':
    case 'routing_changed':
      return (
        <>
          <AccountChange from={finding.from} to={finding.to} />
          <span className="small">
            Last paid <CalendarDay day={finding.lastPaidOn} />
            {finding.kind === 'account_changed' && finding.isOtherCountry
              ? ' · the new account is in another country'
              : ''}
            {finding.kind === 'account_changed' && finding.fromCount > 1
              ? ` · ${finding.fromCount} other accounts were paid under this name`
              : ''}
          </span>
        </>
      );
    case 'account_has_other_names':
      return (
        <>
          <AccountFacts account={finding.account} />
          {finding.paidBefore === null ? null : (
            <span className="small">
              Paid before as {finding.paidBefore.names.join(', ')}, last{' '}
              <CalendarDay day={finding.paidBefore.lastPaidOn} />
            </span>
          )}
        </>
      );
    case 'released_duplicate':
      return (
        <span>
          Released by {finding.releasedBy}: {finding.reason === null ? 'the reason was erased' : `“${finding.reason}”`}
        </span>
      );
    case 'unusual_amount':
      return (
        <span>
          Largest before: <Money amount={finding.largestBefore} currency={finding.amounts[0]?.currency ?? null} />
        </span>
      );
    case 'new_beneficiary':
      return <AccountFacts account={finding.account} />;
    default:
      return null;
  }
}

function Answer(props: {
  answer: string | null;
  alike: number;
  onAnswer: (answer: string, isForAll: boolean) => void;
}): ReactNode {
  const { answer, alike, onAnswer } = props;
  const [text, setText] = useState('');
  const [isForAll, setForAll] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const say = (said: string): void => {
    setIsChanging(false);
    onAnswer(said, isForAll);
  };
  if (answer !== null && !isChanging) {
    return (
      <span className="row small">
        <span>Answered: “{answer}”</span>
        <Button size="compact-xs" variant="default" className="no-print" onClick={() => setIsChanging(true)}>
          Change
        </Button>
      </span>
    );
  }
  return (
    <div className="stack no-print" style={{ gap: 6 }}>
      <div className="row">
        {ANSWERS.map((each) => (
          <Button key={each} size="compact-sm" variant="default" onClick={() => say(each)}>
            {each}
          </Button>
        ))}
      </div>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') say(text.trim());
        }}
      >
        <TextInput
          aria-label="How it was checked"
          placeholder="How it was checked"
          maxLength={200}
          style={{ flex: '1 1 220px' }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={text.trim() === ''}>
          Save answer
        </Button>
      </form>
      {alike > 1 ? (
        <Checkbox
          size="xs"
          label={`The same for all ${alike} of this kind`}
          checked={isForAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      ) : null}
    </div>
  );
}

import { Button, Checkbox, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RunFinding } from '../../api/runs/review.ts';
import { CalendarDay, Money, When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { AccountChange, AccountFacts } from './account-change.tsx';
import { noteLines, profileLines, subjectOf, usualAnswersTo, WHY_UNKNOWN } from '../../domain/runs/finding-words.ts';

type InvoicePaidBefore = Extract<RunFinding, { kind: 'invoice_paid_before' }>;
type FileSubmittedBefore = Extract<RunFinding, { kind: 'file_submitted_before' }>;

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
        <strong>{finding.kind === 'file_submitted_before' ? earlierRuns(finding) : subjectOf(finding)}</strong>
        <Rows runId={runId} finding={finding} />
      </div>
      <Evidence finding={finding} />
      {needsAnswer ? (
        <Answer usual={usualAnswersTo(finding.kind)} answer={answer} alike={alike} onAnswer={onAnswer} />
      ) : null}
    </div>
  );
}

/** Each count opens exactly the rows of this finding. */
function Rows({ runId, finding }: { runId: string; finding: RunFinding }): ReactNode {
  if (!('rowCount' in finding)) return null;
  const amounts = 'amounts' in finding ? finding.amounts : [];
  const [only] = 'rows' in finding && finding.rowCount === 1 ? finding.rows : [];
  return (
    <span className="row">
      {amounts.map(({ currency, amount }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
      <Link to={`/runs/${runId}/rows?finding=${encodeURIComponent(finding.id)}`}>
        {only ?? counted(finding.rowCount, 'row')}
      </Link>
    </span>
  );
}

function earlierRuns({ runCount }: FileSubmittedBefore): string {
  return runCount === 1 ? 'One earlier run has this file' : `${formatCount(runCount)} earlier runs have this file`;
}

function Lines({ lines }: { lines: readonly string[] }): ReactNode {
  return (
    <ul style={{ margin: 0, paddingLeft: 18 }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Evidence({ finding }: { finding: RunFinding }): ReactNode {
  switch (finding.kind) {
    case 'file_submitted_before':
    case 'split_below_rule':
      return <EarlierRuns finding={finding} />;
    case 'new_profile':
      return <Lines lines={profileLines(finding)} />;
    case 'file_notes':
      return <Lines lines={noteLines(finding)} />;
    case 'details_unknown':
      return <span>{WHY_UNKNOWN[finding.reason]}</span>;
    case 'check_warning':
      return <WarnedCells finding={finding} />;
    case 'account_changed':
    case 'routing_changed':
      return (
        <>
          <AccountChange from={finding.from} to={finding.to} />
          <span className="small">
            {finding.lastPaidOn === null ? (
              'Approved, and not paid yet'
            ) : (
              <>
                Last paid <CalendarDay day={finding.lastPaidOn} />
              </>
            )}
            {finding.kind === 'account_changed' && finding.isOtherCountry
              ? ' · the new account is in another country'
              : ''}
            {finding.kind === 'account_changed' && finding.fromCount > 1
              ? ` · ${finding.fromCount} other accounts were paid under this name`
              : ''}
          </span>
        </>
      );
    case 'invoice_paid_before':
    case 'similar_payment':
      return <EarlierPayments finding={finding} />;
    case 'look_alike':
      return <LooksLike finding={finding} />;
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

function EarlierRuns({ finding }: { finding: Pick<FileSubmittedBefore, 'runs' | 'runCount'> }): ReactNode {
  const { runs, runCount } = finding;
  return (
    <ul style={{ margin: 0, paddingLeft: 18 }}>
      {runs.map(({ runId, fileName, submittedAt, submittedBy }) => (
        <li key={runId}>
          <Link to={`/runs/${runId}`}>{fileName}</Link>, submitted by {submittedBy}, <When at={submittedAt} />
        </li>
      ))}
      {runCount > runs.length ? <li>and {counted(runCount - runs.length, 'more run')}</li> : null}
    </ul>
  );
}

function LooksLike({ finding }: { finding: Extract<RunFinding, { kind: 'look_alike' }> }): ReactNode {
  const { account, like, likeAccount, lastPaidOn, likeRow, likeKey } = finding;
  return (
    <>
      <AccountChange from={likeAccount} to={account} />
      <span className="small">
        Looks like {like}
        {likeRow !== null ? (
          `, in row ${likeRow}`
        ) : likeKey !== null ? (
          `, ${likeKey} of the book`
        ) : lastPaidOn === null ? (
          ', approved and not paid yet'
        ) : (
          <>
            , last paid <CalendarDay day={lastPaidOn} />
          </>
        )}
      </span>
    </>
  );
}

/** Ten are listed, and none of an account that one may not use. */
function EarlierPayments({ finding }: { finding: Pick<InvoicePaidBefore, 'earlier' | 'earlierCount'> }): ReactNode {
  const { earlier, earlierCount } = finding;
  const further = earlierCount - earlier.length;
  return (
    <ul style={{ margin: 0, paddingLeft: 18 }}>
      {earlier.map(({ runId, fileName, rowRef, account, currency, amount, state, reference, paidOn }) => (
        <li key={`${runId} ${rowRef}`}>
          <Money amount={amount} currency={currency} />, {reference ?? 'its reference was erased'}:{' '}
          {fileName === null ? (
            `row ${rowRef} of this run`
          ) : (
            <Link to={`/runs/${runId}`}>{`${rowRef} of ${fileName}, ${account}`}</Link>
          )}
          , {paidOn === null ? state.replaceAll('_', ' ') : <CalendarDay day={paidOn} />}
        </li>
      ))}
      {further > 0 && <li>{counted(further, 'more row')}, of other accounts or not listed</li>}
    </ul>
  );
}

const MOST_CELLS = 10;

/** What to do, and the cells as they were written. */
function WarnedCells({ finding }: { finding: Extract<RunFinding, { kind: 'check_warning' }> }): ReactNode {
  const { cells, fix, rowCount } = finding;
  const shown = cells.slice(0, MOST_CELLS);
  return (
    <>
      <span>To do: {fix}.</span>
      <span className="small">
        {shown.map(({ line, value }) => `line ${line}${value === null ? '' : `: ${value}`}`).join(' · ')}
        {rowCount > shown.length ? ` · and ${counted(rowCount - shown.length, 'more row')}` : ''}
      </span>
    </>
  );
}

function Answer(props: {
  usual: readonly string[];
  answer: string | null;
  alike: number;
  onAnswer: (answer: string, isForAll: boolean) => void;
}): ReactNode {
  const { usual, answer, alike, onAnswer } = props;
  const [text, setText] = useState('');
  const [isForAll, setForAll] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const say = (said: string): void => {
    setIsChanging(false);
    setForAll(false);
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
        {usual.map((each) => (
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
          label={
            answer === null ? `The same for all ${alike} of this kind` : `The same for the ${alike} without an answer`
          }
          checked={isForAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      ) : null}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { nothingStandsOut } from '../../domain/runs/run-sentences.ts';
import { isAboutTheRun, isAlarming, ROW_MARKS, takesAnswer } from '../../api/runs/finding-kind.ts';
import type { FindingKind, RunFinding, RunReview } from '../../api/runs/review.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { FINDING_WORDS, keyOfFinding } from '../../domain/runs/finding-words.ts';
import { FindingCard } from './finding-card.tsx';

interface FindingsProps {
  runId: string;
  review: RunReview;
  facts: DecisionFacts;
  answers: ReadonlyMap<string, string>;
  /** Null: nobody answers here. */
  onAnswer: ((keys: readonly string[], answer: string) => void) | null;
}

/** What stands out in the rows, the most alarming first. */
export function Findings(props: FindingsProps & { run: RunDetail }): ReactNode {
  const { run, runId, review, facts, answers, onAnswer } = props;
  const keyed = review.findings.map((finding) => ({ finding, key: keyOfFinding(finding) }));
  const kinds = kindsIn(review);
  const nothing = nothingStandsOut({
    ...run,
    isApproved: run.startedAt !== null,
    payable: run.proposal?.payable ?? null,
  });
  const shown = (kind: FindingKind): ReactNode => (
    <Kind
      key={kind}
      kind={kind}
      runId={runId}
      found={keyed.filter(({ finding }) => finding.kind === kind)}
      unlisted={review.unlistedCounts[kind] ?? 0}
      answers={answers}
      onAnswer={onAnswer}
    />
  );
  return (
    <Section title="What stands out">
      <div className="stack">
        {kinds.filter(isAboutTheRun).map(shown)}
        <OnHold runId={runId} facts={facts} />
        {kinds.length === 0 ? <Mark tone={nothing.isReassuring ? 'paid' : 'waiting'}>{nothing.text}</Mark> : null}
        {kinds.filter((kind) => !isAboutTheRun(kind)).map(shown)}
      </div>
    </Section>
  );
}

/** In the order of the findings; last those of which none is listed. */
function kindsIn({ findings, unlistedCounts }: RunReview): FindingKind[] {
  return [...new Set([...findings.map(({ kind }) => kind), ...(Object.keys(unlistedCounts) as FindingKind[])])];
}

/** Whether rows have a mark of this kind, by which all of them are found. */
function isOfRows(kind: FindingKind): boolean {
  return (ROW_MARKS as readonly FindingKind[]).includes(kind);
}

const NO_ANSWERS: ReadonlyMap<string, string> = new Map();

/** What is known of the file itself, for whoever submitted it: that it is not the first with it, and warnings of its check. */
export function FileFindings({ runId, review }: { runId: string; review: RunReview }): ReactNode {
  const kinds = kindsIn(review).filter((kind) => kind === 'file_submitted_before' || kind === 'check_warning');
  return kinds.map((kind) => (
    <Kind
      key={kind}
      kind={kind}
      runId={runId}
      found={review.findings
        .filter((finding) => finding.kind === kind)
        .map((finding) => ({ finding, key: keyOfFinding(finding) }))}
      unlisted={review.unlistedCounts[kind] ?? 0}
      answers={NO_ANSWERS}
      onAnswer={null}
    />
  ));
}

function OnHold({ runId, facts }: { runId: string; facts: DecisionFacts }): ReactNode {
  const { duplicateSuspects, held } = facts;
  if (duplicateSuspects === 0 && held === 0) return null;
  return (
    <Notice tone="waiting" title="Rows that would not be paid">
      <span className="row" style={{ gap: 20 }}>
        {duplicateSuspects === 0 ? null : (
          <Link to={`/runs/${runId}/rows?state=duplicate_suspect`}>
            {counted(duplicateSuspects, 'suspected duplicate')}
          </Link>
        )}
        {held === 0 ? null : <Link to={`/runs/${runId}/rows?state=held`}>{counted(held, 'held row')}</Link>}
      </span>
      {duplicateSuspects === 0 ? null : (
        <div className="small">
          Where salaries, rents and the like are paid, the policy can warn of regular payments instead of holding them.
        </div>
      )}
    </Notice>
  );
}

/** Findings that need no answer are folded when there are many. */
const SHOWN_OPEN = 3;

interface KindProps extends Pick<FindingsProps, 'runId' | 'answers'> {
  onAnswer: FindingsProps['onAnswer'];
  kind: FindingKind;
  found: readonly { finding: RunFinding; key: string }[];
  unlisted: number;
}

function Kind({ kind, runId, found, unlisted, answers, onAnswer }: KindProps): ReactNode {
  const { title, cause, fix } = FINDING_WORDS[kind];
  const isRed = isAlarming(kind);
  const needsAnswer = takesAnswer(kind) && onAnswer !== null;
  const open = found.filter(({ key }) => !answers.has(key));
  const cards = found.map(({ finding, key }) => (
    <FindingCard
      key={key}
      runId={runId}
      finding={finding}
      needsAnswer={needsAnswer}
      answer={answers.get(key) ?? null}
      alike={open.length}
      // The card itself is among them, also when it has an answer that is changed.
      onAnswer={(answer, isForAll) =>
        onAnswer?.(isForAll ? [...new Set([key, ...open.map((each) => each.key)])] : [key], answer)
      }
    />
  ));
  return (
    <details className="card finding-kind" open={isRed || found.length <= SHOWN_OPEN}>
      <summary>
        <Mark tone={isRed ? 'failed' : 'waiting'}>
          <strong>{title}</strong> ({formatCount(found.length + unlisted)})
        </Mark>
        {needsAnswer ? (
          <span className="muted small">
            {' – '}
            {open.length === 0 ? 'all answered' : `${formatCount(open.length)} still to answer`}
          </span>
        ) : null}
      </summary>
      <p className="muted" style={{ margin: '6px 0 12px' }}>
        {cause} {fix} {isOfRows(kind) ? <Link to={`/runs/${runId}/rows?mark=${kind}`}>Show their rows</Link> : null}
      </p>
      <div className="stack">{cards}</div>
      {unlisted > 0 ? <p className="muted small">{formatCount(unlisted)} more are not listed here.</p> : null}
    </details>
  );
}

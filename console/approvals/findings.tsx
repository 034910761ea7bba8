import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { isAlarming } from '../../api/runs/finding-kind.ts';
import type { FindingKind, RunFinding, RunReview } from '../../api/runs/review.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { FINDING_WORDS, keyOfFinding } from './finding-words.ts';
import { FindingCard } from './finding-card.tsx';

interface FindingsProps {
  runId: string;
  review: RunReview;
  facts: DecisionFacts;
  answers: ReadonlyMap<string, string>;
  onAnswer: (keys: readonly string[], answer: string) => void;
}

/** What stands out in the rows, the most alarming first. */
export function Findings({ runId, review, facts, answers, onAnswer }: FindingsProps): ReactNode {
  const keyed = review.findings.map((finding) => ({ finding, key: keyOfFinding(finding) }));
  const kinds = [...new Set(keyed.map(({ finding }) => finding.kind))];
  return (
    <Section title="What stands out">
      <div className="stack">
        <OnHold runId={runId} facts={facts} />
        {kinds.length === 0 ? (
          <Mark tone="paid">Nothing: every beneficiary was paid before, to the same account, in usual amounts.</Mark>
        ) : null}
        {kinds.map((kind) => (
          <Kind
            key={kind}
            kind={kind}
            runId={runId}
            found={keyed.filter(({ finding }) => finding.kind === kind)}
            unlisted={review.unlistedCounts[kind] ?? 0}
            answers={answers}
            onAnswer={onAnswer}
          />
        ))}
      </div>
    </Section>
  );
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
    </Notice>
  );
}

/** Findings that need no answer are folded when there are many. */
const SHOWN_OPEN = 3;

interface KindProps extends Pick<FindingsProps, 'runId' | 'answers' | 'onAnswer'> {
  kind: FindingKind;
  found: readonly { finding: RunFinding; key: string }[];
  unlisted: number;
}

function Kind({ kind, runId, found, unlisted, answers, onAnswer }: KindProps): ReactNode {
  const { title, cause, fix } = FINDING_WORDS[kind];
  const needsAnswer = isAlarming(kind);
  const open = found.filter(({ key }) => !answers.has(key));
  const cards = found.map(({ finding, key }) => (
    <FindingCard
      key={key}
      runId={runId}
      finding={finding}
      needsAnswer={needsAnswer}
      answer={answers.get(key) ?? null}
      alike={open.length}
      onAnswer={(answer, isForAll) => onAnswer(isForAll ? open.map((each) => each.key) : [key], answer)}
    />
  ));
  return (
    <details className="card finding-kind" open={needsAnswer || found.length <= SHOWN_OPEN}>
      <summary>
        <Mark tone={needsAnswer ? 'failed' : 'waiting'}>
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
        {cause} {fix}{' '}
        {kind === 'pays_later' || kind === 'details_unknown' ? null : (
          <Link to={`/runs/${runId}/rows?mark=${kind}`}>Show their rows</Link>
        )}
      </p>
      <div className="stack">{cards}</div>
      {unlisted > 0 ? <p className="muted small">{formatCount(unlisted)} more are not listed here.</p> : null}
    </details>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Skeleton } from '../elements/page.tsx';
import { type Action, useAction } from '../elements/use-action.tsx';
import { Differences } from '../runs/differences.tsx';
import { Proposal } from '../runs/proposal.tsx';
import { RunFrame } from '../runs/run-frame.tsx';
import { allows } from './allowed.tsx';
import { ApprovalSteps } from './approval-steps.tsx';
import { Changed } from './changed-notice.tsx';
import { type DecidedHere, DecisionBar } from './decision-bar.tsx';
import { DecisionSummary } from './decision-summary.tsx';
import { Findings } from './findings.tsx';
import { useKeptAnswers } from './kept-answers.ts';
import { LargestRows } from './largest-rows.tsx';
import { answersThatHold, changeSince } from './seen-review.ts';
import { StoppedLine } from './stop-notice.tsx';
import './approvals.css';

/** What a decision on a run is made on, in the order of risk, and the decision. */
export function DecidePage(): ReactNode {
  return (
    <RunFrame>
      {(run) => (
        <>
          <StoppedLine run={run} />
          <Decide key={run.runId} run={run} />
        </>
      )}
    </RunFrame>
  );
}

/** What one has read and decided here: it outlasts whatever is being read again meanwhile. */
interface Reading {
  seen: RunReview | null;
  decided: DecidedHere | null;
}

const NOTHING_READ: Reading = { seen: null, decided: null };

function Decide({ run }: { run: RunDetail }): ReactNode {
  const { runId } = run;
  const [reading, setReading] = useState(NOTHING_READ);
  const contentHash = run.proposal?.contentHash ?? null;
  // Of another content they are read at once; what was shown stays until then.
  const facts = useQuery({
    queryKey: ['run', runId, 'decision', contentHash],
    queryFn: ({ signal }) => api.getDecisionFacts({ runId }, { signal }),
    enabled: contentHash !== null,
    placeholderData: keepPreviousData,
  });
  const review = useQuery({
    queryKey: ['run', runId, 'review', contentHash],
    queryFn: ({ signal }) => api.getReview({ runId }, { signal }),
    enabled: contentHash !== null,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  // Others may have paid or decided meanwhile: before an approval, both are read once more.
  const readAgain = useAction(() =>
    Promise.all([facts.refetch({ throwOnError: true }), review.refetch({ throwOnError: true })]),
  );
  if (contentHash === null) {
    return (
      <Blank title="There is nothing to decide on yet">
        <p>The rows are still being checked. This page shows the proposal by itself once it is ready.</p>
      </Blank>
    );
  }
  return (
    <Loaded query={facts} lines={12}>
      {(known) => (
        <Loaded query={review} lines={12}>
          {(found) => (
            <Seen run={run} facts={known} review={found} reading={reading} onRead={setReading} readAgain={readAgain} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface SeenProps {
  run: RunDetail;
  facts: DecisionFacts;
  review: RunReview;
  reading: Reading;
  onRead: (change: (before: Reading) => Reading) => void;
  readAgain: Action<undefined, unknown>;
}

/** A decision is about what was on the page when one began to read: a change meanwhile is shown, never slipped in. */
function Seen({ run, facts, review, reading, onRead, readAgain }: SeenProps): ReactNode {
  const { decided, seen } = reading;
  const { answers, keep } = useKeptAnswers(run.runId, seen?.contentHash ?? null);
  const isWhole = isOneContent(run, facts, review);
  useEffect(() => {
    if (isWhole) onRead((before) => (before.seen === null ? { ...before, seen: review } : before));
  }, [isWhole, onRead, review]);
  // One of them is of another content, and the others are on their way.
  if (seen === null) return <Skeleton lines={12} />;
  const change = isWhole ? changeSince(seen, review) : CHANGING;
  // Once it is decided, other payments change nothing about what the decision was made on.
  if (change !== null && !(change.kind === 'findings' && decided !== null)) {
    return (
      <Changed
        seen={seen}
        now={isWhole ? review : null}
        change={change}
        onShow={() => {
          keep(review.contentHash, () => answersThatHold(answers, review));
          onRead(() => ({ seen: review, decided: null }));
        }}
      />
    );
  }
  const answer = (keys: readonly string[], text: string): void =>
    keep(seen.contentHash, (before) => new Map([...before, ...keys.map((key) => [key, text] as const)]));
  return (
    <>
      <DecisionSummary facts={facts} account={run.account} />
      <Findings
        {...{ run, facts, answers }}
        runId={run.runId}
        review={seen}
        onAnswer={allows(facts.allowedActions, 'approve') ? answer : null}
      />
      <Differences runId={run.runId} contentHash={seen.contentHash} />
      <LargestRows runId={run.runId} largest={facts.largest} />
      {run.proposal === null ? null : <Proposal proposal={run.proposal} />}
      <ApprovalSteps run={run} facts={facts} />
      <DecisionBar
        run={run}
        facts={facts}
        review={seen}
        seenHash={seen.contentHash}
        answers={answers}
        decided={decided}
        readAgain={readAgain}
        onDecided={(made) => onRead((before) => ({ ...before, decided: made }))}
      />
    </>
  );
}

const CHANGING = { kind: 'content' } as const;

/** Whether everything on the page is of the same content: totals and findings are read one after the other. */
function isOneContent(run: RunDetail, facts: DecisionFacts, review: RunReview): boolean {
  return facts.contentHash === review.contentHash && run.proposal?.contentHash === review.contentHash;
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { readDecisionFacts, readReview } from '../calls/run-calls.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank } from '../elements/page.tsx';
import { useParam } from '../elements/use-address.ts';
import { Proposal } from '../runs/proposal.tsx';
import { RunFrame } from '../runs/run-frame.tsx';
import { ApprovalSteps } from './approval-steps.tsx';
import { Changed } from './changed-notice.tsx';
import { type DecidedHere, DecisionBar } from './decision-bar.tsx';
import { DecisionSummary } from './decision-summary.tsx';
import { Findings } from './findings.tsx';
import { LargestRows } from './largest-rows.tsx';
import { answersThatHold, changeSince } from './seen-review.ts';
import './approvals.css';

/** What a decision on a run is made on, in the order of risk, and the decision. */
export function DecidePage(): ReactNode {
  return <RunFrame>{(run) => <Decide run={run} />}</RunFrame>;
}

function Decide({ run }: { run: RunDetail }): ReactNode {
  const runId = useParam('runId');
  const contentHash = run.proposal?.contentHash ?? null;
  const facts = useQuery({
    queryKey: ['run', runId, 'decision', contentHash],
    queryFn: ({ signal }) => readDecisionFacts(runId, signal),
    enabled: contentHash !== null,
  });
  const review = useQuery({
    queryKey: ['run', runId, 'review', contentHash],
    queryFn: ({ signal }) => readReview(runId, signal),
    enabled: contentHash !== null,
    staleTime: 60_000,
  });
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
          {(found) => <Seen run={run} facts={known} review={found} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface SeenProps {
  run: RunDetail;
  facts: DecisionFacts;
  review: RunReview;
}

/** A decision is about what was on the page when one began to read: a change meanwhile is shown, never slipped in. */
function Seen({ run, facts, review }: SeenProps): ReactNode {
  const [seen, setSeen] = useState(review);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<DecidedHere | null>(null);
  const change = changeSince(seen, review);
  // Once it is decided, other payments change nothing about what the decision was made on.
  if (change !== null && !(change.kind === 'findings' && decided !== null)) {
    return (
      <Changed
        seen={seen}
        now={review}
        change={change}
        onShow={() => {
          setSeen(review);
          setAnswers(answersThatHold(answers, review));
          setDecided(null);
        }}
      />
    );
  }
  return (
    <>
      <DecisionSummary facts={facts} />
      <Findings
        runId={run.runId}
        review={seen}
        facts={facts}
        answers={answers}
        onAnswer={(keys, answer) => setAnswers(new Map([...answers, ...keys.map((key) => [key, answer] as const)]))}
      />
      <LargestRows runId={run.runId} largest={facts.largest} />
      {run.proposal === null ? null : <Proposal proposal={run.proposal} />}
      <ApprovalSteps facts={facts} />
      <DecisionBar
        run={run}
        facts={facts}
        review={seen}
        seenHash={seen.contentHash}
        answers={answers}
        decided={decided}
        onDecided={setDecided}
      />
    </>
  );
}

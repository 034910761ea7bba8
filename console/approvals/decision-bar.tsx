import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { type Action, useAction } from '../elements/use-action.tsx';
import { allows, refusalOf } from './allowed.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { findingsToAnswer } from '../../domain/runs/finding-words.ts';

interface BarProps {
  run: RunDetail;
  facts: DecisionFacts;
  review: RunReview;
  seenHash: string;
  answers: ReadonlyMap<string, string>;
  decided: DecidedHere | null;
  /** Reads again what the decision is made on: if it says anything else, that takes the place of the bar and its dialog. */
  readAgain: Action<undefined, unknown>;
  onDecided: (decided: DecidedHere) => void;
}

/** A decision that was recorded while the page was open. */
export interface DecidedHere {
  verb: 'Approved' | 'Rejected';
  answer: DecidedRun;
}

const REASONS = ['Bank details are not confirmed', 'Amounts do not match the documents', 'Wrong file', 'Paid already'];

/** Reject or approve; it stays in sight. Nothing is shown as decided before the server has recorded it. */
export function DecisionBar(props: BarProps): ReactNode {
  const { run, facts, review, seenHash, answers, decided, readAgain, onDecided } = props;
  const [asked, setAsked] = useState<'approve' | 'reject' | null>(null);
  const changes = [['run', run.runId], ['runs'], ['inbox']];
  const note = (verb: DecidedHere['verb']) => (answer: DecidedRun) => {
    setAsked(null);
    onDecided({ verb, answer });
  };
  const reject = useAction(
    (comment: string | null) => api.rejectRun({ runId: run.runId, comment: comment ?? '', contentHash: seenHash }),
    {
      changes,
      then: note('Rejected'),
    },
  );
  const unanswered = findingsToAnswer(review.findings).filter(({ key }) => !answers.has(key)).length;
  const refusal = refusalOf(facts.allowedActions, 'approve');
  if (decided !== null) return <Decided {...decided} run={run} />;
  return (
    <div className="sticky-actions" role="region" aria-label="Decision">
      <span>
        {refusal === null && unanswered > 0 ? (
          <Mark tone="failed">{counted(unanswered, 'warning')} to answer first</Mark>
        ) : (
          (refusal ?? `${formatCount(facts.payable)} rows, content ${seenHash.slice(0, 8)}`)
        )}
      </span>
      <span className="row">
        {allows(facts.allowedActions, 'reject') ? (
          <Button variant="default" onClick={() => setAsked('reject')}>
            Reject …
          </Button>
        ) : null}
        {allows(facts.allowedActions, 'approve') ? (
          <Button
            disabled={unanswered > 0}
            onClick={() => {
              setAsked('approve');
              readAgain.do(undefined);
            }}
          >
            Approve …
          </Button>
        ) : null}
      </span>
      <ReasonDialog
        title={`Reject ${run.fileName}?`}
        verb="Reject the run"
        reason="required"
        reasonLabel={`Reason: ${run.submittedBy.name} reads it`}
        suggestions={REASONS}
        isDangerous
        action={reject}
        isOpen={asked === 'reject'}
        onClose={() => setAsked(null)}
      >
        <p style={{ margin: 0 }}>Nothing of it is paid. The corrected file is submitted as a new run.</p>
      </ReasonDialog>
      <ApproveDialog
        {...props}
        isOpen={asked === 'approve'}
        onClose={() => setAsked(null)}
        onApproved={note('Approved')}
      />
    </div>
  );
}

function Decided({ verb, answer, run }: DecidedHere & { run: RunDetail }): ReactNode {
  const { stepsTaken, steps, decidedBy, decidedAt } = answer;
  const isMore = stepsTaken !== null && steps !== null && stepsTaken < steps;
  return (
    <div className="sticky-actions" role="status">
      <Mark tone={verb === 'Approved' ? 'paid' : 'failed'}>
        {verb}: recorded <When at={decidedAt} /> by {decidedBy.name}
      </Mark>
      <span className="row">
        {isMore ? `${stepsTaken} of ${steps} steps are taken: it waits for the next approval.` : null}
        <Button component={Link} to={`/runs/${run.runId}`} variant="default" size="xs">
          {verb === 'Approved' && !isMore && run.stops.length === 0 ? 'Watch it being paid' : 'To the run'}
        </Button>
        <Button component={Link} to="/inbox" variant="default" size="xs">
          To the inbox
        </Button>
      </span>
    </div>
  );
}

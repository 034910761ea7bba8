import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { approveRun, rejectRun } from '../calls/run-calls.ts';
import { Dialog, ReasonDialog } from '../elements/dialog.tsx';
import { Figure, Money, When } from '../elements/figures.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { allows, refusalOf } from './allowed.tsx';
import { alarmingFindings, answersByKind, commentOf } from './finding-words.ts';
import { RecordedNow } from './recorded-now.tsx';
import { SecondFactor, useFactorNeeded } from './second-factor.tsx';

interface BarProps {
  run: RunDetail;
  facts: DecisionFacts;
  review: RunReview;
  seenHash: string;
  answers: ReadonlyMap<string, string>;
  decided: DecidedHere | null;
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
  const { run, facts, review, seenHash, answers, decided, onDecided } = props;
  const [asked, setAsked] = useState<'approve' | 'reject' | null>(null);
  const changes = [['run', run.runId], ['runs'], ['inbox']];
  const note = (verb: DecidedHere['verb']) => (answer: DecidedRun) => {
    setAsked(null);
    onDecided({ verb, answer });
  };
  const reject = useAction(
    (comment: string | null) => rejectRun(run.runId, { comment: comment ?? '', contentHash: seenHash }),
    {
      changes,
      then: note('Rejected'),
    },
  );
  const unanswered = alarmingFindings(review.findings).filter(({ key }) => !answers.has(key)).length;
  const refusal = refusalOf(facts.allowedActions, 'approve');
  if (decided !== null) return <Decided {...decided} runId={run.runId} />;
  return (
    <div className="sticky-actions" role="region" aria-label="Decision">
      <span>
        {unanswered > 0 ? (
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
          <Button disabled={unanswered > 0} onClick={() => setAsked('approve')}>
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

function Decided({ verb, answer, runId }: DecidedHere & { runId: string }): ReactNode {
  const { step, steps, decidedBy, decidedAt } = answer;
  const isMore = step !== null && steps !== null && step < steps;
  return (
    <div className="sticky-actions" role="status">
      <Mark tone={verb === 'Approved' ? 'paid' : 'failed'}>
        {verb}: recorded <When at={decidedAt} /> by {decidedBy.name}
      </Mark>
      <span className="row">
        {isMore ? `Step ${step} of ${steps}: it waits for the next approval.` : null}
        <Button component={Link} to={`/runs/${runId}`} variant="default" size="xs">
          {verb === 'Approved' && !isMore ? 'Watch it being paid' : 'To the run'}
        </Button>
        <Button component={Link} to="/inbox" variant="default" size="xs">
          To the inbox
        </Button>
      </span>
    </div>
  );
}

function ApproveDialog(
  props: BarProps & { isOpen: boolean; onClose: () => void; onApproved: (answer: DecidedRun) => void },
): ReactNode {
  const { run, facts, review, seenHash, answers, isOpen, onClose, onApproved } = props;
  const [comment, setComment] = useState('');
  const approve = useAction(
    () => approveRun(run.runId, { comment: commentOf(review.findings, answers, comment), contentHash: seenHash }),
    { changes: [['run', run.runId], ['runs'], ['inbox']], then: onApproved },
  );
  const { isNeeded, onShown } = useFactorNeeded(true, approve.error);
  return (
    <Dialog title={`Approve ${run.fileName}?`} isOpen={isOpen} isBusy={approve.isRunning} onClose={onClose}>
      <div className="row" style={{ gap: 32 }}>
        <Figure label="Rows to be paid">{formatCount(facts.payable)}</Figure>
        {facts.totals.map(({ currency, amount }) => (
          <Figure key={currency} label={`Total in ${currency}`}>
            <Money amount={amount} currency={currency} />
          </Figure>
        ))}
      </div>
      <span className="muted small">
        Made by {facts.maker.name} · content <code className="mono">{seenHash.slice(0, 16)}</code>. Your approval is
        bound to exactly this content.
      </span>
      {answersByKind(review.findings, answers).map((line) => (
        <Mark key={line} tone="waiting">
          {line}
        </Mark>
      ))}
      <Textarea
        label="Comment (optional)"
        maxLength={2000}
        autosize
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {approve.error === null ? null : (
        <>
          <Failed error={approve.error} />
          <RecordedNow run={run} facts={facts} />
        </>
      )}
      {isNeeded ? (
        <>
          <span>Your second factor approves it at once, with the comment above.</span>
          <SecondFactor
            subject={{ kind: 'run', id: run.runId, contentHash: seenHash, decision: 'approved' }}
            onShown={() => {
              onShown();
              approve.do(undefined);
            }}
          />
        </>
      ) : null}
      {approve.isRunning ? <Notice tone="moving">Recording …</Notice> : null}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={approve.isRunning} onClick={onClose}>
          Back
        </Button>
        {isNeeded || !allows(facts.allowedActions, 'approve') ? null : (
          <Button loading={approve.isRunning} onClick={() => approve.do(undefined)}>
            Approve {counted(facts.payable, 'row')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

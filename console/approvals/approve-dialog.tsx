import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';
import { SIDE_IN_WORDS } from '../../domain/runs/run-proposal.ts';
import { Stat, Money } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { type Action, useAction } from '../elements/use-action.tsx';
import { RunStateMark } from '../runs/run-states.tsx';
import { allows } from './allowed.tsx';
import { answersByKind, commentOf } from '../../domain/runs/approval-comment.ts';
import { Decisions } from './decisions.tsx';
import { SecondFactor, useFactorNeeded } from './second-factor.tsx';

interface ApproveProps {
  run: RunDetail;
  facts: DecisionFacts;
  review: RunReview;
  seenHash: string;
  answers: ReadonlyMap<string, string>;
  /** Reads again what the approval is given on: if it says anything else, that takes the place of the dialog. */
  readAgain: Action<undefined, unknown>;
  isOpen: boolean;
  onClose: () => void;
  onApproved: (answer: DecidedRun) => void;
}

/** The approval, with what was answered to warnings. Nothing is approved before what it is given on was read again. */
export function ApproveDialog(props: ApproveProps): ReactNode {
  const { run, facts, review, seenHash, answers, readAgain, isOpen, onClose, onApproved } = props;
  const [comment, setComment] = useState('');
  const kept = commentOf(review.findings, answers, comment);
  const isAsSeen = !readAgain.isRunning && readAgain.error === null;
  const approve = useAction(() => api.approveRun({ runId: run.runId, comment: kept.text, contentHash: seenHash }), {
    changes: [['run', run.runId], ['runs'], ['inbox']],
    then: onApproved,
  });
  const { isNeeded, onShown } = useFactorNeeded(true, approve.error);
  return (
    <Dialog title={`Approve ${run.fileName}?`} isOpen={isOpen} isBusy={approve.isRunning} onClose={onClose}>
      <WhatIsApproved {...props} />
      <Textarea
        label="Comment (optional)"
        maxLength={2000}
        autosize
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {kept.excess === 0 ? null : (
        <Notice tone="failed" title={`${counted(kept.excess, 'character')} too many to be kept with the approval`}>
          Shorten the comment, or go back and shorten an answer: nothing of them is cut off.
        </Notice>
      )}
      {readAgain.isRunning ? <Notice tone="moving">Reading again what stands out …</Notice> : null}
      {readAgain.error === null ? null : <Failed error={readAgain.error} onRetry={() => readAgain.do(undefined)} />}
      {approve.error === null ? null : (
        <>
          <Failed error={approve.error} />
          <RecordedNow run={run} />
        </>
      )}
      {isNeeded && isAsSeen && kept.excess === 0 ? (
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
          <Button
            loading={approve.isRunning}
            disabled={!isAsSeen || kept.excess > 0}
            onClick={() => approve.do(undefined)}
          >
            Approve {counted(facts.payable, 'row')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function WhatIsApproved({ run, facts, review, seenHash, answers }: ApproveProps): ReactNode {
  return (
    <>
      <div className="row" style={{ gap: 32 }}>
        <Stat label="Paid from account">{run.account}</Stat>
        <Stat label="Rows to be paid">{formatCount(facts.payable)}</Stat>
        {facts.totals.map(({ currency, side, amount }) => (
          <Stat key={`${currency} ${side}`} label={`Total in ${currency}, ${SIDE_IN_WORDS[side]}`}>
            <Money amount={amount} currency={currency} />
          </Stat>
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
    </>
  );
}

/** What the database says after a decision whose outcome is not known, or that was refused. */
function RecordedNow({ run }: { run: RunDetail }): ReactNode {
  return (
    <Notice tone="neutral" title="What is recorded now">
      <div className="stack" style={{ gap: 6 }}>
        <RunStateMark state={run.state} />
        <Decisions of={run.decisions} />
      </div>
    </Notice>
  );
}

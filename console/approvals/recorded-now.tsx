import type { ReactNode } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { When } from '../elements/figures.tsx';
import { Notice } from '../elements/page.tsx';
import { RunStateMark } from '../runs/run-states.tsx';

/** What the record says after a decision whose outcome is not known, or that was refused. */
export function RecordedNow({ run, facts }: { run: RunDetail; facts: DecisionFacts }): ReactNode {
  const taken = facts.steps.filter(({ takenBy }) => takenBy !== null);
  return (
    <Notice tone="neutral" title="What is recorded now">
      <div className="stack" style={{ gap: 6 }}>
        <RunStateMark state={run.state} />
        {run.decidedBy === null ? null : (
          <span>
            Decided by {run.decidedBy.name}, <When at={run.decidedAt} />
          </span>
        )}
        {taken.map(({ step, takenBy, takenAt }) => (
          <span key={step}>
            Step {step}: approved by {takenBy?.name}, <When at={takenAt} />
          </span>
        ))}
      </div>
    </Notice>
  );
}

import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { whyNobodyApproves } from '../../domain/runs/approval-sentences.ts';
import type { ApprovalStep, DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { When } from '../elements/values.tsx';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';

/** Why this approval: the rules that apply, the steps, and who can still take them. */
export function ApprovalSteps({ run, facts }: { run: RunDetail; facts: DecisionFacts }): ReactNode {
  // A run that does not wait for a decision has no steps any more that anybody could take.
  const obstacle = run.state === 'in_approval' ? whyNobodyApproves(run, facts) : null;
  const { rules, steps } = facts;
  return (
    <Section title="Who approves">
      <div className="stack">
        {obstacle === null ? null : (
          <Notice tone="failed" title="Nobody can approve it">
            {obstacle}
          </Notice>
        )}
        <ul style={{ margin: 0, paddingLeft: 18 }}>
          {[...new Set(rules.map(({ name }) => name))].map((rule) => (
            <li key={rule}>
              {rules
                .filter(({ name }) => name === rule)
                .map(({ currency }) => currency)
                .join(', ')}
              : the rule “{rule}”
            </li>
          ))}
        </ul>
        <ol className="timeline">
          {steps.map((step) => (
            <Step key={step.step} step={step} />
          ))}
        </ol>
      </div>
    </Section>
  );
}

function Step({ step }: { step: ApprovalStep }): ReactNode {
  const { eligibleApprovers, eligibleApproverCount, takenBy } = step;
  if (takenBy !== null) {
    return (
      <li data-tone="paid">
        <Mark tone="paid">
          Step {step.step}: approved by {takenBy.name}
          {step.actsFor === null ? '' : ` for ${step.actsFor.name}`}, <When at={step.takenAt} />
        </Mark>
      </li>
    );
  }
  const names = eligibleApprovers.map(({ name }) => name).join(', ');
  const more =
    eligibleApproverCount > eligibleApprovers.length
      ? ` and ${eligibleApproverCount - eligibleApprovers.length} more`
      : '';
  return (
    <li data-tone="waiting">
      <Mark tone="waiting">
        Step {step.step}: {step.logins === null ? `a ${step.role ?? 'checker'}` : step.logins.join(' or ')}
      </Mark>
      <div className="muted small">
        {eligibleApproverCount === 0 ? 'nobody can take it' : `can take it: ${names}${more}`}
      </div>
    </li>
  );
}

import type { ReactNode } from 'react';
import type { ApprovalStep, DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { When } from '../elements/values.tsx';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';

/** Why this approval: the rules that apply, the steps, and who can still take them. */
export function ApprovalSteps({ facts }: { facts: DecisionFacts }): ReactNode {
  const { rules, steps, isCovered, canBeApproved, waitingSince } = facts;
  // A run that does not wait for a decision has no steps any more that anybody could take.
  const lacksPeople = waitingSince !== null && steps.length > 0 && isCovered && !canBeApproved;
  return (
    <Section title="Who approves">
      <div className="stack">
        {isCovered ? null : (
          <Notice tone="failed" title="Nobody can approve it">
            No rule of the policy covers this run: an administrator changes the policy, or the run is rejected.
          </Notice>
        )}
        {lacksPeople ? (
          <Notice tone="failed" title="There are too few people to approve it">
            The steps take more people than there are who may. Nobody approves their own run, and each person counts
            once.
          </Notice>
        ) : null}
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
          Step {step.step}: approved by {takenBy.name}, <When at={step.takenAt} />
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

import type { ApprovalPolicy } from '../../../domain/approvals/approval-policy.ts';
import { policyDifferences } from '../../../domain/approvals/policy-differences.ts';
import {
  conditionsInWords,
  otherParts,
  RULES_SENTENCE,
  stepsInWords,
} from '../../../domain/approvals/policy-sentences.ts';
import { type RunUnderPolicy, runUnderPolicyInWords } from '../../../domain/approvals/run-under-policy.ts';
import { printable } from '../printable.ts';
import { money } from '../wording.ts';

/** The rules in their order, then everything else that the policy says. */
export function renderPolicy(policy: ApprovalPolicy): string {
  const rules = policy.rules.map(
    ({ name, when, steps }, index) =>
      `${index + 1}. ${name}: ${conditionsInWords(when, money)}: approved by ${stepsInWords(steps)}`,
  );
  const parts = otherParts(policy, money).map(({ name, says }) => `${name}: ${says}`);
  return [...rules, RULES_SENTENCE, '', ...parts].map(printable).join('\n');
}

/** What the policy says of a run. */
export function renderRunUnderPolicy(runId: string, run: RunUnderPolicy): string {
  return ['', `Run ${runId}`, ...runUnderPolicyInWords(run, money).map((sentence) => `  ${sentence}`)]
    .map(printable)
    .join('\n');
}

/** What another policy changes, each difference old and new. */
export function renderPolicyDifferences(inForce: ApprovalPolicy, proposed: ApprovalPolicy): string {
  const differences = policyDifferences(inForce, proposed, money);
  if (differences.length === 0) return '  It says the same as the policy in force.';
  return differences
    .flatMap(({ name, before, after }) => [
      `  ${name}`,
      `    in force: ${before ?? 'not there'}`,
      `    proposed: ${after ?? 'not there any more'}`,
    ])
    .map(printable)
    .join('\n');
}

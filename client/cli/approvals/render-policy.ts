import type { ApprovalPolicy } from '../../../domain/approvals/approval-policy.ts';
import { printable } from '../printable.ts';
import { counted, money } from '../wording.ts';

type Rule = ApprovalPolicy['rules'][number];

/** The rules in order; for each currency, the first one that matches applies. */
export function renderPolicy({ rules, changes }: ApprovalPolicy): string {
  const lines = rules.map((rule, index) => `${index + 1}. ${rule.name}: ${conditionOf(rule)}: ${stepsOf(rule)}`);
  const delay =
    changes.delayHours === null
      ? 'Changes take effect when a second administrator confirms them, and never by themselves.'
      : `Changes take effect when a second administrator confirms them, or after ${counted(changes.delayHours, 'hour')}.`;
  return [...lines.map(printable), delay].join('\n');
}

function conditionOf({ when }: Rule): string {
  const { currencies, accounts, totalAtLeast, largestAtLeast, newBeneficiary } = when;
  const conditions = [
    ...(currencies === undefined ? [] : [`in ${currencies.join(' or ')}`]),
    ...(accounts === undefined ? [] : [`from account ${accounts.join(' or ')}`]),
    ...(totalAtLeast === undefined ? [] : [`of ${money(totalAtLeast)} or more in total`]),
    ...(largestAtLeast === undefined ? [] : [`with a payment of ${money(largestAtLeast)} or more`]),
    ...(newBeneficiary === undefined ? [] : ['to an account never paid before']),
  ];
  return conditions.length === 0 ? 'any payments' : `payments ${conditions.join(', ')}`;
}

function stepsOf({ steps }: Rule): string {
  const who = steps.map((step) => ('role' in step ? `a ${step.role}` : step.logins.join(' or ')));
  return `approved by ${who.join(', then ')}${steps.length > 1 ? ', each a different person' : ''}`;
}

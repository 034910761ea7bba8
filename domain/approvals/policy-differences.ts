import type { ApprovalPolicy } from './approval-policy.ts';
import {
  conditionsInWords,
  otherParts,
  type PolicyPart,
  type Rule,
  stepsInWords,
  type WriteAmount,
} from './policy-sentences.ts';

/** What differs between two policies, in sentences: the same in the console and at the command line. */

export interface PolicyDifference {
  name: string;
  /** Null: it is not there. */
  before: string | null;
  after: string | null;
}

/** What another policy changes: its rules by their names, then all other parts. Empty: they have the same effect. */
export function policyDifferences(
  before: ApprovalPolicy,
  after: ApprovalPolicy,
  writeAmount: WriteAmount,
): PolicyDifference[] {
  return [
    ...ruleDifferences(before.rules, after.rules, writeAmount),
    ...partDifferences(otherParts(before, writeAmount), otherParts(after, writeAmount)),
  ];
}

/** The first rule that fits applies: so where a rule stands counts as well. */
function ruleDifferences(
  before: readonly Rule[],
  after: readonly Rule[],
  writeAmount: WriteAmount,
): PolicyDifference[] {
  const [old, proposed] = [named(before), named(after)];
  const saysOf = (rules: ReadonlyMap<string, Rule>, name: string, isMoved: boolean): string | null => {
    const rule = rules.get(name);
    if (rule === undefined) return null;
    const place = isMoved ? `rule ${[...rules.keys()].indexOf(name) + 1} of ${rules.size}; ` : '';
    return `${place}${conditionsInWords(rule.when, writeAmount)}: ${stepsInWords(rule.steps)}`;
  };
  const differences = [...new Set([...proposed.keys(), ...old.keys()])].flatMap((name) => {
    const isMoved = !old.has(name) || !proposed.has(name);
    const [was, is] = [saysOf(old, name, isMoved), saysOf(proposed, name, isMoved)];
    return was === is ? [] : [{ name: `Rule “${name}”`, before: was, after: is }];
  });
  const orderOf = (rules: ReadonlyMap<string, Rule>, other: ReadonlyMap<string, Rule>): string =>
    [...rules.keys()]
      .filter((name) => other.has(name))
      .map((name) => `“${name}”`)
      .join(', ');
  const [orderBefore, orderAfter] = [orderOf(old, proposed), orderOf(proposed, old)];
  return orderBefore === orderAfter
    ? differences
    : [...differences, { name: 'Order of the rules', before: orderBefore, after: orderAfter }];
}

/** Rules may have the same name: the later ones are numbered. */
function named(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  const found = new Map<string, Rule>();
  for (const rule of rules) {
    let name = rule.name;
    for (let count = 2; found.has(name); count += 1) name = `${rule.name} (${count})`;
    found.set(name, rule);
  }
  return found;
}

function partDifferences(before: readonly PolicyPart[], after: readonly PolicyPart[]): PolicyDifference[] {
  const [old, proposed] = [before, after].map((parts) => new Map(parts.map(({ name, says }) => [name, says])));
  return [...new Set([...(proposed?.keys() ?? []), ...(old?.keys() ?? [])])].flatMap((name) => {
    const [was, is] = [old?.get(name) ?? null, proposed?.get(name) ?? null];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
}

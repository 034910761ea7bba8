import { groupIntervals } from './interval-matching.ts';
import { amountsOf, type Form, formsOf, keyOf, type Leg } from './leg.ts';
import { append, groupsByKey, type MovementIndex } from './movement.ts';
import { splitsOf } from './split-entries.ts';

/** How often legs of a kind and currency were found in only one form, as `{"payment USD": {"included": 12}}`. */
export type FormCounts = Readonly<Record<string, Readonly<Partial<Record<Form, number>>>>>;

const FORMS = ['included', 'beside', 'each_beside', 'without_fees'] as const;

/** Fewer matches in a currency say less than those of the kind in all currencies. */
const ENOUGH = 5;

/**
 * Counts in which form legs with fees, of one currency, are found, by those alone that match one entry or one group of neighbours, which
 * matches no other leg, in one form only.
 */
export function learnForms(legs: readonly Leg[], index: MovementIndex): FormCounts {
  const found = new Map<Leg, Form[]>();
  for (const form of FORMS) {
    for (const leg of uniqueIn(form, legs, index)) append(found, leg, form);
  }
  const counts: Record<string, Partial<Record<Form, number>>> = {};
  for (const [leg, [form, ...others]] of found) {
    if (form === undefined || others.length > 0) continue;
    const count = (counts[`${leg.fact.kind} ${leg.currency}`] ??= {});
    count[form] = (count[form] ?? 0) + 1;
  }
  return counts;
}

function uniqueIn(form: Form, legs: readonly Leg[], index: MovementIndex): Leg[] {
  const able = legs.filter((leg) => formsOf(leg).includes(form));
  const isSplit = form === 'beside' || form === 'each_beside';
  const splits = isSplit
    ? splitsOf(
        form,
        legs.filter(({ fees }) => fees.length > 0),
        index,
      )
    : null;
  const unique: Leg[] = [];
  for (const [key, competing] of groupsByKey(able, (leg) => keyOf(leg, form))) {
    if (competing.every(({ fees }) => fees.length === 0)) continue;
    const [leg] = competing as [Leg];
    const first =
      splits === null
        ? index.freeWith(leg.currency, amountsOf(leg, form)[0] ?? '0')
        : (splits.get(key) ?? []).map(([principal]) => principal ?? 0);
    // A part of a split is not an entry without fees.
    const entries = form === 'without_fees' ? first.filter((entry) => !hasFeeBeside(entry, competing, index)) : first;
    const groups = groupIntervals(
      entries.map((entry) => index.dateOf(entry)),
      competing,
    );
    for (const { intervals, dates } of groups) {
      const only = intervals.length === 1 && dates.length === 1 ? competing[intervals[0] ?? 0] : undefined;
      if (only !== undefined && only.fees.length > 0) unique.push(only);
    }
  }
  return unique;
}

function hasFeeBeside(entry: number, legs: readonly Leg[], index: MovementIndex): boolean {
  const beside = [...index.neighboursOf(entry), ...index.companionsOf(entry)].map((other) => index.changeOf(other));
  return legs.some(({ feeTotal, fees }) => beside.some((change) => change === feeTotal || fees.includes(change)));
}

export function mergeCounts(known: FormCounts, learnt: FormCounts): FormCounts {
  const merged: Record<string, Partial<Record<Form, number>>> = structuredClone(known);
  for (const [key, counts] of Object.entries(learnt)) {
    const count = (merged[key] ??= {});
    for (const form of FORMS) if (counts[form] !== undefined) count[form] = (count[form] ?? 0) + counts[form];
  }
  return merged;
}

/** The form that most legs of its kind and currency have, or of its kind, or `included`. */
export function usualForms(counts: FormCounts): (leg: Leg) => Form {
  const known = new Map<string, Form>();
  return (leg) => {
    const key = `${leg.fact.kind} ${leg.currency} ${leg.fees.length}`;
    const form = known.get(key) ?? usualFormOf(leg, counts);
    known.set(key, form);
    return form;
  };
}

function usualFormOf(leg: Leg, counts: FormCounts): Form {
  const possible = formsOf(leg);
  if (possible.length === 1) return 'included';
  const { kind } = leg.fact;
  const own = counts[`${kind} ${leg.currency}`] ?? {};
  const usual = mostFrequent(own, possible, ENOUGH);
  if (usual !== null) return usual;
  const ofKind: Partial<Record<Form, number>> = {};
  for (const [key, count] of Object.entries(counts)) {
    if (!key.startsWith(`${kind} `)) continue;
    for (const form of possible) ofKind[form] = (ofKind[form] ?? 0) + (count[form] ?? 0);
  }
  return mostFrequent(ofKind, possible, 1) ?? 'included';
}

function mostFrequent(
  count: Readonly<Partial<Record<Form, number>>>,
  forms: readonly Form[],
  least: number,
): Form | null {
  const total = forms.reduce((sum, form) => sum + (count[form] ?? 0), 0);
  if (total < least) return null;
  return forms.reduce((best, form) => ((count[form] ?? 0) > (count[best] ?? 0) ? form : best));
}

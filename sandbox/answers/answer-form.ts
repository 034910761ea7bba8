import type { SandboxOptions } from '../config/defaults.ts';
import { hash32 } from '../core/seeded-random.ts';
import { isRecord, type Json } from '../core/json.ts';
import { additionalFieldsOf } from './additional-fields.ts';
import { listOrderOf } from './list-order.ts';
import { isTime, timeFormOf } from './time-form.ts';
import { unsetFieldsOf } from './unset-fields.ts';

/**
 * How answers and notifications are written where the contract is silent: order of lists, unset fields, fields that it
 * does not name, forms of times, statuses on the way. Whatever the form, they mean the same.
 */
export interface AnswerForm {
  /** The answer of an operation, in its envelope if it has one. What is written already stays as it is. */
  answer(operation: string, answer: Json): Json;
  /** One record of a kind, for a text that is kept. */
  record(kind: string, record: Json): Json;
  notification(event: Json): Json;
  /** A list before it is cut into pages. */
  paged<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[];
  /** The statuses, beyond those of the contract, that a funded payment passes through before its last one. */
  readonly statusesOnTheWay: (paymentId: string) => readonly string[];
}

export function answerFormOf({ answers, seed }: Pick<SandboxOptions, 'answers' | 'seed'>): AnswerForm {
  return answers === 'drawn' ? drawnForm(seed) : plainForm;
}

const plainForm: AnswerForm = {
  answer: (_operation, answer) => answer,
  record: (_kind, record) => record,
  notification: (event) => event,
  paged: (items) => items,
  statusesOnTheWay: () => [],
};

/** Statuses of newer versions of the provider. None is a last one. */
const ON_THE_WAY: readonly (readonly string[])[] = [
  [],
  ['in_transit'],
  ['under_review'],
  ['under_review', 'in_transit'],
  ['in_transit', 'processing'],
];

/** Each text in it is a field's pattern, whatever the field's name, and its pages are not cut by what is drawn. */
const PATTERNS = 'beneficiary-requirements';
const IN_PAGES = 'funding-list';

function drawnForm(seed: number): AnswerForm {
  const order = listOrderOf(seed);
  const unset = unsetFieldsOf(seed);
  const additional = additionalFieldsOf(seed);
  const writeTime = timeFormOf(seed);

  const valueOf = (name: string, value: Json | undefined, withTexts: boolean): Json | undefined => {
    if (value === null || value === undefined) return unset(name, value);
    if (isTime(name, value)) return writeTime(value);
    return isRecord(value) ? recordOf(name, value, withTexts) : value;
  };

  function recordOf(place: string, record: Json, withTexts = true): Json {
    if (!isRecord(record)) return record;
    const fields = Object.entries(record).map(([name, value]) => [name, valueOf(name, value, withTexts)] as const);
    return { ...Object.fromEntries(fields), ...additional(place, withTexts) };
  }

  function contentOf(operation: string, content: Json): Json {
    const each = (entry: Json): Json => recordOf(operation, entry, operation !== PATTERNS);
    if (!isList(content)) return each(content);
    const entries = content.map(each);
    return operation === IN_PAGES ? entries : order.whole(entries);
  }

  return {
    answer: (operation, answer) => {
      const envelope = envelopeOf(answer);
      if (envelope === null) return contentOf(operation, answer);
      const [[name, content]] = envelope;
      return { ...additional('envelope', true), [name]: contentOf(operation, content) };
    },
    record: (kind, record) => recordOf(kind, record),
    notification: (event) => recordOf('notification', event),
    paged: (items, idOf) => order.paged(items, idOf),
    statusesOnTheWay: (paymentId) => ON_THE_WAY[hash32(`${seed}/on-the-way/${paymentId}`) % ON_THE_WAY.length] ?? [],
  };
}

/** The one member of `{data: …}` or `{value: […]}`; null for what is in no envelope. */
function envelopeOf(answer: Json): [[string, Json]] | null {
  if (!isRecord(answer)) return null;
  const [first, ...others] = Object.entries(answer);
  if (first === undefined || others.length > 0 || first[1] === undefined) return null;
  const [name, content] = first;
  return name === 'data' || name === 'value' ? [[name, content]] : null;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

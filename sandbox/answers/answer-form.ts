import type { MissingDetails } from '../account/user.ts';
import type { SandboxOptions } from '../config/options.ts';
import { hash32 } from '../core/seeded-random.ts';
import { isRecord, type Json } from '../core/json.ts';
import { additionalFieldsOf } from './additional-fields.ts';
import { type DetailStatus, detailStatusOf, plainDetailStatus } from './detail-status.ts';
import { listOrderOf } from './list-order.ts';
import { isTime, timeFormOf } from './time-form.ts';
import { unsetFieldsOf } from './unset-fields.ts';

/**
 * How answers and notifications are written where the contract is silent: order of lists, unset fields, additional
 * fields, time formats, interim statuses, missing details. The meaning is the same in every form.
 */
export interface AnswerForm {
  /** The answer of an operation, in its envelope if it has one. Raw JSON is unchanged. */
  answer(operation: string, answer: Json): Json;
  /** One record of a kind, for a serialized text that is cached. */
  record(kind: string, record: Json): Json;
  notification(event: Json): Json;
  /** A list before it is cut into pages. */
  paged<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[];
  /** The statuses outside the contract that a funded payment goes through before its final status. */
  readonly interimStatuses: (paymentId: string) => readonly string[];
  /** The status that the answer to a creation shows: instead of `awaiting_funds`, it may be one outside the contract. */
  readonly statusAtCreation: (id: string, status: string) => string;
  readonly detailStatus: (missing: MissingDetails) => DetailStatus;
}

export function answerFormOf({ answers, seed }: Pick<SandboxOptions, 'answers' | 'seed'>): AnswerForm {
  return answers === 'seeded' ? seededForm(seed) : plainForm;
}

const plainForm: AnswerForm = {
  answer: (_operation, answer) => answer,
  record: (_kind, record) => record,
  notification: (event) => event,
  paged: (items) => items,
  interimStatuses: () => [],
  statusAtCreation: (_id, status) => status,
  detailStatus: plainDetailStatus,
};

/** Statuses of newer versions of the provider. None is final. */
const INTERIM_STATUSES: readonly (readonly string[])[] = [
  [],
  ['in_transit'],
  ['under_review'],
  ['under_review', 'in_transit'],
  ['in_transit', 'processing'],
];

/** One in so many creations is answered with a status outside the contract, by a third of the seeds. */
const ANSWERED_EARLY = 8;
const STATUSES_AT_CREATION = ['initiated', 'created', 'pending'];

/** Its answer contains patterns under the names of fields, so that a text there would be read as a pattern. */
const REQUIREMENTS = 'beneficiary-requirements';
/** Its answer is ordered before it is cut into pages. */
const PAGED_LIST = 'funding-list';

function seededForm(seed: number): AnswerForm {
  const order = listOrderOf(seed);
  const unset = unsetFieldsOf(seed);
  const additional = additionalFieldsOf(seed);
  const writeTime = timeFormOf(seed);
  // `user` is its default value. Contract: account 6.
  const namesUsers = hash32(`${seed}/names-users`) % 2 === 0;
  const answersEarly = hash32(`${seed}/answers-early`) % 3 === 0;

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
    const each = (entry: Json): Json => recordOf(operation, entry, operation !== REQUIREMENTS);
    if (!isList(content)) return each(content);
    const entries = content.map(each);
    return operation === PAGED_LIST ? entries : order.whole(entries);
  }

  return {
    answer: (operation, answer) => {
      const envelope = envelopeOf(answer);
      if (envelope === null) return contentOf(operation, answer);
      const [[name, content]] = envelope;
      return { ...additional('envelope', true), [name]: contentOf(operation, content) };
    },
    record: (kind, record) => recordOf(kind, record),
    notification: (event) => {
      const isUnnamed = !namesUsers && isRecord(event) && event['resource'] === 'user';
      return recordOf('notification', isUnnamed ? { ...event, resource: undefined } : event);
    },
    paged: (items, idOf) => order.paged(items, idOf),
    interimStatuses: (paymentId) =>
      INTERIM_STATUSES[hash32(`${seed}/on-the-way/${paymentId}`) % INTERIM_STATUSES.length] ?? [],
    statusAtCreation: (id, status) => {
      const draw = hash32(`${seed}/at-creation/${id}`);
      if (!answersEarly || status !== 'awaiting_funds' || draw % ANSWERED_EARLY !== 0) return status;
      return STATUSES_AT_CREATION[Math.floor(draw / ANSWERED_EARLY) % STATUSES_AT_CREATION.length] ?? status;
    },
    detailStatus: detailStatusOf(seed),
  };
}

/** The only member of `{data: …}` or `{value: […]}`; null for an answer without an envelope. */
function envelopeOf(answer: Json): [[string, Json]] | null {
  if (!isRecord(answer)) return null;
  const [first, ...others] = Object.entries(answer);
  if (first === undefined || others.length > 0 || first[1] === undefined) return null;
  const [name, content] = first;
  return name === 'data' || name === 'value' ? [[name, content]] : null;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

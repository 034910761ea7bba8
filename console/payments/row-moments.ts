import type { RowManualOutcome } from '../../api/payments/manual-outcome.ts';
import type { RunDecision } from '../../api/runs/run-decision.ts';
import type { RowDetail, RowWebhook, RowLookup, RowRequest } from '../../api/runs/row-detail.ts';
import { formatAmount, inWords } from '../elements/formats.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** Something that happened to a row, in words. */
export interface RowMoment {
  /** ISO 8601. */
  at: string;
  tone: 'neutral' | 'moving' | 'paid' | 'failed' | 'unknown';
  title: string;
  detail: string;
  /** It happened several times, for the first time then; null: once. */
  since: string | null;
}

/** All that is known of a row, the oldest first: decisions, requests, lookups, webhooks, what people said, its end. */
export function momentsOf(row: RowDetail): RowMoment[] {
  return inOrder([
    ...row.decisions.map(ofDecision),
    ...ofRelease(row),
    ...row.requests.map(ofRequest),
    ...row.lookups.map(ofLookup),
    ...row.webhooks.map(ofWebhook),
    ...row.manualOutcomes.flatMap(ofManualOutcome),
    ...ofEnd(row),
    ...ofReturn(row),
  ]);
}

/** What the provider was sent, and what it showed, the oldest first. */
export function evidenceMoments(row: RowDetail): RowMoment[] {
  return inOrder([...row.requests.map(ofRequest), ...row.lookups.map(ofLookup)]);
}

function inOrder(moments: readonly RowMoment[]): RowMoment[] {
  return moments.toSorted((one, other) => one.at.localeCompare(other.at));
}

const REQUEST_OUTCOMES: Readonly<Record<string, Pick<RowMoment, 'tone'> & { words: string }>> = {
  took_effect: { tone: 'paid', words: 'took effect' },
  refused: { tone: 'failed', words: 'was refused' },
  not_sent: { tone: 'neutral', words: 'did not reach the provider' },
  not_seen: { tone: 'neutral', words: 'showed no effect' },
  unknown: { tone: 'unknown', words: 'outcome not known' },
};

function ofRequest({ operation, attempt, begunAt, answeredAt, httpStatus, outcome }: RowRequest): RowMoment {
  const known = REQUEST_OUTCOMES[outcome] ?? { tone: 'neutral', words: inWords(outcome) };
  const answer = answeredAt === null ? 'no answer' : `status ${httpStatus ?? 'unknown'}`;
  return {
    at: begunAt,
    tone: known.tone,
    title: `${capitalized(operation)} ${known.words}`,
    detail: `attempt ${attempt}, ${answer}`,
    since: null,
  };
}

function ofLookup({ request, result, times, firstAt, lastAt }: RowLookup): RowMoment {
  return {
    at: lastAt,
    tone: 'neutral',
    title: request === 'by_reference' ? 'Looked it up by its reference' : "Looked it up by the provider's id",
    detail: withTimes(result === 'nothing' ? 'nothing found (not proof that there is none)' : inWords(result), times),
    since: times > 1 ? firstAt : null,
  };
}

function ofWebhook({ status, times, firstReceivedAt, lastReceivedAt }: RowWebhook): RowMoment {
  return {
    at: lastReceivedAt,
    tone: 'neutral',
    title: `A webhook said: ${status === null ? 'nothing that can be read' : inWords(status)}`,
    detail: withTimes('not proof: it is unsigned, and only a reason to read', times),
    since: times > 1 ? firstReceivedAt : null,
  };
}

function withTimes(text: string, times: number): string {
  return times > 1 ? `${text}, ${times} times` : text;
}

const DECISIONS = {
  approved: 'approved',
  rejected: 'rejected',
  withdrawn: 'withdrew',
  cancelled: 'cancelled',
} as const;

function ofDecision({ decision, by, actsFor, at, comment, isCurrent }: RunDecision): RowMoment {
  const parts = [
    comment === null ? null : `“${comment}”`,
    isCurrent ? null : 'on what the run was before: it does not count',
  ];
  return {
    at,
    tone: isCurrent ? 'moving' : 'neutral',
    title: `${by.name} ${DECISIONS[decision]} the run${actsFor === null ? '' : ` for ${actsFor.name}`}`,
    detail: parts.filter((part) => part !== null).join(' · '),
    since: null,
  };
}

function ofRelease({ release }: RowDetail): RowMoment[] {
  if (release === null) return [];
  const detail = release.reason === null ? 'the reason was erased' : `“${release.reason}”`;
  return [{ at: release.at, tone: 'moving', title: `Released by ${release.by.name}`, detail, since: null }];
}

function ofManualOutcome(manualOutcome: RowManualOutcome): RowMoment[] {
  const { proposedAt, proposedBy, outcome, reason, providerPaymentId, state, closedAt, closingReason } = manualOutcome;
  const id = providerPaymentId === null ? '' : ` · payment ${providerPaymentId}`;
  const said: RowMoment = {
    at: proposedAt,
    tone: 'moving',
    title: `${proposedBy.name} says: ${inWords(outcome)}`,
    detail: `${reason === null ? 'the reason was erased' : `“${reason}”`}${id}${state === 'proposed' ? ' · a second person confirms it' : ''}`,
    since: null,
  };
  if (state === 'proposed') return [said];
  const closed: RowMoment = {
    at: closedAt ?? proposedAt,
    tone: state === 'confirmed' ? 'moving' : 'neutral',
    title: closingOf(manualOutcome),
    detail: closingReason === null ? '' : `“${closingReason}”`,
    since: null,
  };
  return [said, closed];
}

function closingOf({ state, outcome, proposedBy, closedBy }: RowManualOutcome): string {
  const what = `“${inWords(outcome)}”`;
  switch (state) {
    case 'confirmed':
      return `${closedBy?.name ?? 'A second person'} confirms: ${inWords(outcome)}`;
    case 'rejected':
      if (closedBy?.userId === proposedBy.userId) return `${proposedBy.name} takes back ${what}`;
      return `${closedBy?.name ?? 'Somebody'} rejects ${what}`;
    case 'contradicted':
      return `The provider says otherwise than ${what}`;
    case 'voided':
    case 'proposed':
      return `${capitalized(what)} is void: more became known of the row`;
  }
}

const ENDS: Readonly<Partial<Record<RowDetail['state'], Pick<RowMoment, 'tone' | 'title'>>>> = {
  paid: { tone: 'paid', title: 'Ended as paid' },
  // It came back after that.
  returned: { tone: 'paid', title: 'Ended as paid' },
  rejected: { tone: 'failed', title: 'Ended as rejected' },
  failed: { tone: 'failed', title: 'Ended as failed' },
  cancelled: { tone: 'neutral', title: 'Ended as cancelled, not paid' },
  unknown: { tone: 'unknown', title: 'Given up: how it ended is not known' },
};

function ofEnd({ state, endedAt, providerStatus }: RowDetail): RowMoment[] {
  const end = ENDS[state];
  if (end === undefined || endedAt === null) return [];
  const detail = providerStatus === null ? '' : `the provider showed last: ${inWords(providerStatus)}`;
  return [{ at: endedAt, ...end, detail, since: null }];
}

function ofReturn({ returnedAmount, returnedAt, sellCurrency }: RowDetail): RowMoment[] {
  if (returnedAmount === null || returnedAt === null) return [];
  const detail = `${formatAmount(returnedAmount)} ${sellCurrency ?? ''}`.trim();
  return [{ at: returnedAt, tone: 'failed', title: 'Money came back', detail, since: null }];
}

import type { NotificationType } from './notification-types.ts';
import {
  type ChangeFacts,
  heldRows,
  pathOf,
  type RunFacts,
  type ScheduleFacts,
  type SubjectFacts,
} from './subject-facts.ts';

/** The body of a webhook, as JSON; a mail says the same in words. */
export interface NotificationBody {
  type: NotificationType;
  /** When the fact became known: ISO 8601, UTC. `data` is as of when it was first sent, or soon after. */
  timestamp: string;
  data: SubjectFacts['data'] & { url?: string };
}

/** `publicUrl`: the address of the server, without a slash at the end; null: no links. */
export function composeBody(
  type: NotificationType,
  occurredAt: Date,
  facts: SubjectFacts,
  publicUrl: string | null,
): NotificationBody {
  const url = publicUrl === null ? {} : { url: `${publicUrl}${pathOf(facts)}` };
  return { type, timestamp: occurredAt.toISOString(), data: { ...facts.data, ...url } };
}

export interface MailText {
  subject: string;
  text: string;
}

/** A mail with the same facts, in one paragraph and a list. `body` as composeBody made it. */
export function composeMail({ type, timestamp, data }: NotificationBody): MailText {
  const facts = Object.entries(data).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === '' ? [] : [`  ${name}: ${text}`];
  });
  const sentence = singleLine(sentenceOf(type, data));
  const lines = [`${sentence}.`, '', ...facts, `  since: ${timestamp}`, '', 'payrun', ''];
  return { subject: `payrun: ${sentence}`, text: lines.join('\n') };
}

function sentenceOf(type: NotificationType, data: NotificationBody['data']): string {
  if ('runId' in data) return sentenceOfRun(type, data);
  if ('caseId' in data) return sentenceOfCase(type);
  if ('orderId' in data) {
    const what = `An order to convert ${data.sellCurrency} into ${data.buyCurrency}`;
    return type === 'order.approval_needed' ? `${what} waits for an approval` : `${what} is ${words(data.state)}`;
  }
  if ('scheduleId' in data) return sentenceOfSchedule(type, data);
  if ('refundId' in data) {
    return `The money of a refund of ${data.account}, shown on ${data.shownOn}, has not come (${data.currency})`;
  }
  if ('unreadableRecords' in data) {
    return `${data.unreadableRecords} of the ${data.kind} of ${data.account} cannot be read: ask the provider`;
  }
  if ('shortOn' in data) return `${data.currency} of ${data.account} will not last beyond ${data.shortOn}`;
  if ('changeId' in data) return sentenceOfChange(type, data);
  if ('breaks' in data) {
    const count = Object.values(data.breaks).reduce((sum, each) => sum + each, 0);
    return `${count === 1 ? '1 break is' : `${count} breaks are`} open in the books of ${data.account} on ${data.day}`;
  }
  if ('userId' in data) {
    return type === 'user.session_ended'
      ? `An administrator has ended a session of ${data.name}`
      : `Ten wrong codes were given to sign in as ${data.name}`;
  }
  if ('leftOutSince' in data) return 'Notifications were left out: look at what waits for a person';
  return type === 'endpoint.test'
    ? `This is a test of the endpoint ${data.name}`
    : `Notifications no longer go to ${data.name} (${words(data.reason ?? data.state)})`;
}

function sentenceOfRun(type: NotificationType, { name, state, status, reason, rows }: RunFacts): string {
  switch (type) {
    case 'run.approval_needed':
      return `${name} waits for an approval`;
    case 'run.finished':
      return `${name}: ${status.replace(/\.$/, '')}`;
    case 'run.paused':
      return reason === 'equal_refusals'
        ? `${name} is paused: the provider refused row after row with the same answer`
        : `${name} is paused by a person`;
    case 'run.rows_held':
      return `${rowsIn(heldRows(rows))} of ${name} wait for a person`;
    case 'run.awaiting_funds':
      return `Insufficient balance: ${rowsIn(rows.awaiting_funds ?? 0)} of ${name} wait for funds`;
    case 'run.rows_unknown':
      return `It is not known how ${rowsIn(rows.unknown ?? 0)} of ${name} ended`;
    case 'run.resolution_contradicted':
      return `The provider shows a payment of ${name} that two people resolved as unpaid`;
    case 'run.copy_paid':
      return `A payment of ${name} may be made twice: it was submitted again, and the provider shows both`;
    case 'run.rows_returned':
      return `Money came back: ${rowsIn(rows.returned ?? 0)} of ${name} are returned`;
    default:
      return `${name} is ${words(state)}`;
  }
}

function sentenceOfSchedule(type: NotificationType, { name, reason, missedOn }: ScheduleFacts): string {
  switch (type) {
    case 'schedule.approval_needed':
      return `The schedule ${name} waits for a second person`;
    case 'schedule.missed':
      return `The schedule ${name} was missed${missedOn === null ? '' : ` on ${missedOn}`}`;
    default:
      return `The schedule ${name} is paused${reason === null ? '' : ` (${words(reason)})`}`;
  }
}

function sentenceOfChange(type: NotificationType, data: ChangeFacts): string {
  const { kind, state, user, proposedBy, decidedBy, usedBy } = data;
  const by = (name: string | null): string => (name === null ? '' : `, by ${name}`);
  if (type === 'change.code_made') return `A code to sign in as ${user ?? 'a user'} is made${by(usedBy)}`;
  if (type === 'change.proposed') return `A change (${words(kind)}) is proposed${by(proposedBy)}`;
  return `A change (${words(kind)}) is ${state === 'rejected' ? 'rejected' : 'in effect'}${by(decidedBy)}`;
}

function sentenceOfCase(type: NotificationType): string {
  switch (type) {
    case 'case.unknown':
      return 'It is not known whether an applicant was signed up';
    case 'case.reminder':
      return 'An onboarding case still waits for an onboarder';
    default:
      return 'An onboarding case needs an onboarder';
  }
}

function rowsIn(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return singleLine(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, of]) => `${textOf(of)} ${words(name)}`)
    .join(', ');
}

/** A file's name may hold anything: no line break of it may begin a header or a line of its own. */
function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

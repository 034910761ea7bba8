import { HOLD_CAUSES, HOLD_ENDS } from '../../../domain/onboarding/onboarding-hold.ts';
import type { CaseDetail } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { moment } from '../wording.ts';

type Hold = CaseDetail['holds'][number];

/** One line for each: what is not sent, since when, why, and what ends it. */
export function renderHolds(holds: readonly Hold[]): string {
  return holds.map(renderHold).join('\n');
}

function renderHold({ account, kind, since, until }: Hold): string {
  const what = kind === 'stopped' ? 'Nothing is sent' : 'Nobody is signed up';
  const end = until === null ? '' : `, until ${moment(until)}`;
  const fix = HOLD_ENDS[kind].replaceAll('`', '');
  return printable(`${what} on ${account} since ${moment(since)}${end}: ${HOLD_CAUSES[kind]}. ${fix}`);
}

/** Without pauses, of which `warnOfPauses` says what to do about them. */
export function besidePauses(holds: readonly Hold[]): Hold[] {
  return holds.filter(({ kind }) => kind !== 'paused');
}

/** `waits: a stop is in force`, for a line of a case. */
export function holdsInWords(holds: readonly Hold[]): string {
  return holds
    .map(({ kind, until }) => `waits${until === null ? '' : ` until ${moment(until)}`}: ${HOLD_CAUSES[kind]}`)
    .join('; ');
}

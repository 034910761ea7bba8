import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Operation } from '../../provider/operations.ts';
import type { Dice } from './dice.ts';
import { Refusal } from './refusal.ts';
import type { Pending, SimulatedProvider } from './simulated-provider.ts';

/** How requests get to the simulated provider, and what becomes of them on the way. */

/** The worker died: nobody records the answer. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

/** What becomes of a request that may not be repeated, beside being answered. */
export const FAULTS = {
  none: 60,
  answer_lost: 9,
  request_lost: 6,
  carried_out_late: 7,
  not_sent: 4,
  refused: 4,
  died_before: 5,
  died_after: 5,
};

/** What goes wrong in a history more often than elsewhere. */
export interface Troubles {
  /** What becomes of requests that may not be repeated. */
  faults: Record<'create' | 'fund', Record<keyof typeof FAULTS, number>>;
  /** How often something is created at another price than quoted. */
  otherPrice: number;
  /** The provider carries out requests to fund conversions days later, although they are to be funded within hours. */
  isLate: boolean;
}

/** What the client needs of the history that is played. */
export interface Circumstances {
  provider: SimulatedProvider;
  now: () => number;
  /** Of the event that is played. */
  dice: () => Dice;
  isFaulty: () => boolean;
  theme: Troubles;
  /** Other events happen between the intent of a request and the request, or between the request and its answer. */
  meanwhile: () => Promise<void>;
}

const failure = (
  operation: Operation,
  kind: FailureKind,
  httpStatus: number | null,
  cause?: unknown,
): ProviderFailure => new ProviderFailure({ operation, kind, reason: 'simulated', httpStatus, cause });

function refusalOf(operation: Operation, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const isDuplicate = error.httpStatus === 409 && operation === 'simple-payment-create';
  return failure(operation, isDuplicate ? 'duplicate_reference' : 'refused', error.httpStatus);
}

async function begin(operation: Operation, options: CallOptions | undefined): Promise<void> {
  try {
    await options?.beforeSend?.();
  } catch (cause) {
    throw failure(operation, 'not_sent', null, cause);
  }
}

/** A request that may be repeated. */
export async function readThrough<T>(
  of: Circumstances,
  operation: Operation,
  options: CallOptions | undefined,
  answer: () => T,
): Promise<T> {
  await begin(operation, options);
  if (of.isFaulty() && of.dice().chance(0.05)) throw failure(operation, 'unknown_outcome', 503);
  try {
    return answer();
  } catch (error) {
    throw refusalOf(operation, error);
  }
}

/** A request that may not be repeated. `carryOut` answers what the provider shows of it. */
export async function sendThrough<T>(
  of: Circumstances,
  operation: Operation,
  options: CallOptions | undefined,
  asked: Omit<Pending, 'carryOut'> & { carryOut: () => T },
): Promise<T> {
  if (of.isFaulty() && of.dice().chance(0.15)) await of.meanwhile();
  await begin(operation, options);
  const fault = of.isFaulty() ? of.dice().weighted(of.theme.faults[asked.kind]) : 'none';
  if (fault === 'died_before') throw new WorkerDied();
  if (fault === 'not_sent') throw failure(operation, 'not_sent', null);
  if (fault === 'refused') throw failure(operation, 'refused', 400);
  if (fault === 'request_lost') throw failure(operation, 'unknown_outcome', null);
  if (fault === 'carried_out_late') {
    of.provider.pending.push({ ...asked, carryOut: () => void asked.carryOut() });
    throw failure(operation, 'unknown_outcome', 504);
  }
  const shown = carriedOut(operation, asked.carryOut);
  if (of.isFaulty() && of.dice().chance(0.1)) await of.meanwhile();
  if (fault === 'died_after') throw new WorkerDied();
  if (fault === 'answer_lost') throw failure(operation, 'unknown_outcome', 500);
  return shown;
}

function carriedOut<T>(operation: Operation, carryOut: () => T): T {
  try {
    return carryOut();
  } catch (error) {
    throw refusalOf(operation, error);
  }
}

/** Three times as much for some of what is created. */
export const someFactor = ({ isFaulty, dice, theme }: Circumstances): number =>
  isFaulty() && dice().chance(theme.otherPrice) ? 3 : 1;

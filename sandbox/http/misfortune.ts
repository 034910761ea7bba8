import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../faults.ts';
import { jsonType } from './failure.ts';
import { Refusal } from '../refusal.ts';

/**
 * Lets a fault strike before the request takes effect. A reset leaves the reply hijacked, and nothing runs after it.
 * @throws Refusal 503 or 429, as the fault says
 */
export async function failBefore(fault: Readonly<Fault> | undefined, reply: FastifyReply): Promise<void> {
  if (!fault) return;
  if (fault.kind === 'error_before') throw new Refusal(503, 'service_unavailable', 'fault: refused before any effect');
  if (fault.kind === 'rate_limited') throw new Refusal(429, 'rate_limited', 'fault: too many requests in a second', 1);
  if (fault.kind === 'slow') await delay(fault.delayMs, undefined, { ref: false });
  if (fault.kind === 'reset_before') reset(reply);
}

/**
 * Lets a fault strike after the request took effect; tells whether it answered in the answer's place.
 * @throws Refusal 502 for `error_after`
 */
export async function failAfter(
  fault: Readonly<Fault> | undefined,
  reply: FastifyReply,
  text: string,
): Promise<boolean> {
  switch (fault?.kind) {
    case 'error_after':
      throw new Refusal(502, 'bad_gateway', 'fault: the answer was lost after the effect');
    case 'slow_after':
      await delay(fault.delayMs, undefined, { ref: false });
      return false;
    case 'reset_after':
      reset(reply);
      return true;
    case 'garbled_after':
      void reply.type(jsonType).send(text.slice(0, Math.floor(text.length / 2)));
      return true;
    default:
      return false;
  }
}

function reset(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

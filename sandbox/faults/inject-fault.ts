import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from './faults.ts';
import { Refusal } from '../core/refusal.ts';

/** A serialized answer. */
interface ReadyAnswer {
  readonly content: string | Buffer;
  /** Its Content-Type. */
  readonly type: string;
}

/**
 * Injects a fault before the request takes effect. A reset hijacks the reply, and an HTML page is sent at once: the
 * handler does not run afterwards.
 * @throws Refusal with the fault's status, 429 for `rate_limited`
 */
export async function failBefore(fault: Readonly<Fault> | undefined, reply: FastifyReply): Promise<void> {
  switch (fault?.kind) {
    case 'error_before':
      throw refusalOf(fault, 'refused before any effect');
    case 'rate_limited': {
      const retryAfterSeconds = fault.retryAfterSeconds ?? undefined;
      throw new Refusal(429, 'rate_limited', 'fault: too many requests in a second', retryAfterSeconds);
    }
    case 'error_html_before':
      sendPage(fault, reply);
      return;
    case 'slow':
      await delay(fault.delayMs ?? 0, undefined, { ref: false });
      return;
    case 'reset_before':
      reset(reply);
      return;
    default:
  }
}

/**
 * Injects a fault after the request took effect; returns whether the fault has answered the request.
 * @throws Refusal with the fault's status for `error_after`
 */
export async function failAfter(
  fault: Readonly<Fault> | undefined,
  reply: FastifyReply,
  answer: ReadyAnswer,
): Promise<boolean> {
  const whole = Buffer.from(answer.content);
  switch (fault?.kind) {
    case 'error_after':
      throw refusalOf(fault, 'the answer was lost after the effect');
    case 'slow_after':
      await delay(fault.delayMs ?? 0, undefined, { ref: false });
      return false;
    case 'reset_after':
      reset(reply);
      return true;
    case 'cut_after':
      sendTruncated(reply, whole, answer.type);
      return true;
    case 'garbled_after':
      void reply.type(answer.type).send(firstHalf(whole));
      return true;
    case 'empty_after':
      void reply.code(200).send();
      return true;
    case 'error_html_after':
    case 'not_json_after':
      sendPage(fault, reply);
      return true;
    default:
      return false;
  }
}

/** The error code is the name of the status: 503 is `service_unavailable`. */
function refusalOf({ status, retryAfterSeconds }: Readonly<Fault>, message: string): Refusal {
  const code = nameOf(status ?? 500)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_');
  return new Refusal(status ?? 500, code, `fault: ${message}`, retryAfterSeconds ?? undefined);
}

const nameOf = (status: number): string => STATUS_CODES[status] ?? 'Failed';

const firstHalf = (whole: Buffer): Buffer => whole.subarray(0, Math.floor(whole.length / 2));

function sendPage({ status, retryAfterSeconds }: Readonly<Fault>, reply: FastifyReply): void {
  const title = status === null ? 'Welcome' : `${status} ${nameOf(status)}`;
  if (retryAfterSeconds !== null) void reply.header('retry-after', String(retryAfterSeconds));
  const page = `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  void reply
    .code(status ?? 200)
    .type('text/html; charset=utf-8')
    .send(page);
}

/** Declares the full length, sends half of it, and ends the connection. An empty answer is declared as one byte. */
function sendTruncated(reply: FastifyReply, whole: Buffer, type: string): void {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': type, 'content-length': Math.max(1, whole.length) });
  reply.raw.flushHeaders();
  reply.raw.write(firstHalf(whole));
  reply.raw.socket?.destroySoon();
}

function reset(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

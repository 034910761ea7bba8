import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Operation } from '../operations.ts';
import { readJson } from './exact-json.ts';
import { ProviderFailure } from './failure.ts';
import type { HttpAnswer } from './http-answer.ts';

/**
 * Answers are wrapped as `{data: …}`, as `{value: […]}`, in both, or not at all; this differs between endpoints and
 * versions. Contract: payments (notation), account 4.
 */

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record of an answer, without its envelope. */
function unwrapRecord(answer: unknown): unknown {
  return isObject(answer) && 'data' in answer ? answer.data : answer;
}

/**
 * The list of an answer, without its envelopes. Anything but a list is returned as it is, and the schema refuses it:
 * reading it as an empty list could have a payment made twice.
 */
function unwrapList(answer: unknown): unknown {
  const inner = unwrapRecord(answer);
  // guard: no-list-is-not-empty
  return isObject(inner) && Array.isArray(inner.value) ? inner.value : inner;
}

/** Options of every call. */
export interface CallOptions {
  /** If aborted while the request waits, it is not sent; if aborted later, its outcome is unknown. */
  signal?: AbortSignal;
  /**
   * Called just before the request is sent, when it has its lease; again if it is sent again. If it rejects, the request
   * is not sent, and the rejection is the cause of the failure.
   */
  beforeSend?: () => Promise<void>;
  /** Called after each answer, whatever its status. What it throws is ignored: the answer is more important. */
  onAnswer?: (answer: { httpStatus: number; roundTripMs: number }) => void;
}

/** One request to the API and how its answer is read. */
export interface ApiCall<Schema extends z.ZodType> {
  operation: Operation;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, already encoded. */
  path: string;
  body?: object;
  /** Values in the body that must never be shown, as a password. */
  secrets?: readonly string[];
  answer: Answer<Schema>;
}

export interface Answer<Schema extends z.ZodType> {
  shape: 'record' | 'list' | 'nothing';
  schema: Schema;
}

/** An answer whose body is not read. */
export const nothing: Answer<z.ZodUnknown> = { shape: 'nothing', schema: z.unknown() };

export function recordOf<Schema extends z.ZodType>(schema: Schema): Answer<Schema> {
  return { shape: 'record', schema };
}

export function listOf<Schema extends z.ZodType>(entry: Schema): Answer<z.ZodArray<Schema>> {
  return { shape: 'list', schema: entry.array() };
}

/** A list without its unreadable entries, for callers that do not need a complete one. */
export function readableListOf<Schema extends z.ZodType>(entry: Schema) {
  const { shape, schema } = countedListOf(entry);
  return { shape, schema: schema.transform(({ entries }) => entries) } as const;
}

/** A list without its unreadable entries, and how many those are. */
export function countedListOf<Schema extends z.ZodType>(entry: Schema) {
  const { shape, schema } = digestedListOf(entry);
  return {
    shape,
    schema: schema.transform(({ entries, unreadable }) => ({ entries, unreadable: unreadable.length })),
  } as const;
}

/** A list without its unreadable entries, and a digest of each of these, by which it is known again. */
export function digestedListOf<Schema extends z.ZodType>(entry: Schema) {
  const readable = z.array(z.unknown()).transform((given) => {
    const unreadable: string[] = [];
    const entries = given.flatMap((one) => {
      const read = entry.safeParse(one);
      if (!read.success)
        unreadable.push(
          createHash('sha256')
            .update(String(JSON.stringify(one)))
            .digest('hex'),
        );
      return read.success ? [read.data] : [];
    });
    return { entries, unreadable };
  });
  return { shape: 'list', schema: readable } as const;
}

/**
 * The content of an answer with a 2xx status. An unreadable one does not tell what happened.
 * @throws ProviderFailure with `unknown_outcome`; its reason names the field and quotes no content
 */
export function readAnswer<Schema extends z.ZodType>(call: ApiCall<Schema>, answer: HttpAnswer): z.output<Schema> {
  const unreadable = (why: string): ProviderFailure =>
    new ProviderFailure({
      operation: call.operation,
      // guard: unreadable-is-unknown
      kind: 'unknown_outcome',
      reason: `the answer (HTTP ${answer.status}) cannot be read: ${why}`,
      httpStatus: answer.status,
    });
  if (call.answer.shape === 'nothing') return call.answer.schema.parse(undefined);
  let json: unknown;
  try {
    json = answer.body.trim() === '' ? null : readJson(answer.body);
  } catch {
    throw unreadable('it is not JSON');
  }
  const content = call.answer.shape === 'list' ? unwrapList(json) : unwrapRecord(json);
  const result = call.answer.schema.safeParse(content);
  if (result.success) return result.data;
  const path = (result.error.issues[0]?.path ?? []).map(String).join('.');
  throw unreadable(/^[\w.]{1,80}$/.test(path) ? `at ${path}` : 'it does not match the contract');
}

import { z } from 'zod';
import { unwrapList, unwrapRecord } from './envelope.ts';
import { readJson } from './exact-json.ts';
import { ProviderFailure } from './failure.ts';
import type { Operation } from '../operations.ts';
import type { HttpAnswer } from './refusal.ts';

/** What every call of the client takes besides its request. */
export interface CallOptions {
  /** Given up while waiting: the request is not sent. Given up later: its outcome is unknown. */
  signal?: AbortSignal;
  /**
   * Just before the request leaves, once for each time it is sent, when it has its slot. If this rejects, the request is
   * not sent, and what it rejects with is the cause of the failure.
   */
  beforeSend?: () => Promise<void>;
  /** After each answer, whatever its status. What it throws is ignored: the answer counts more. */
  onAnswer?: (answer: { httpStatus: number; roundTripMs: number }) => void;
}

/** One request to the API and how its answer is read. */
export interface ApiCall<Schema extends z.ZodType> {
  operation: Operation;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address; its parts are encoded already. */
  path: string;
  body?: object;
  /** What the body holds that no answer may show again, as a password. */
  secrets?: readonly string[];
  answer: Answer<Schema>;
}

export interface Answer<Schema extends z.ZodType> {
  shape: 'record' | 'list' | 'nothing';
  schema: Schema;
}

/** Whatever the body holds, it is not read. */
export const nothing: Answer<z.ZodUnknown> = { shape: 'nothing', schema: z.unknown() };

export function recordOf<Schema extends z.ZodType>(schema: Schema): Answer<Schema> {
  return { shape: 'record', schema };
}

export function listOf<Schema extends z.ZodType>(entry: Schema): Answer<z.ZodArray<Schema>> {
  return { shape: 'list', schema: entry.array() };
}

/** A list without the entries that cannot be read, for those who can do without some of it. */
export function readableListOf<Schema extends z.ZodType>(entry: Schema) {
  const readable = z.array(z.unknown()).transform((entries) =>
    entries.flatMap((given) => {
      const read = entry.safeParse(given);
      return read.success ? [read.data] : [];
    }),
  );
  return { shape: 'list', schema: readable } as const;
}

/**
 * The content of an answer with a 2xx status. One that cannot be read says nothing about what happened, so it throws
 * `ProviderFailure` with `unknown_outcome`. The reason names the field and quotes nothing.
 */
export function readAnswer<Schema extends z.ZodType>(call: ApiCall<Schema>, answer: HttpAnswer): z.output<Schema> {
  const unreadable = (why: string): ProviderFailure =>
    new ProviderFailure({
      operation: call.operation,
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
  throw unreadable(/^[\w.]{1,80}$/.test(path) ? `at ${path}` : 'it is not what the contract shows');
}

import { readJson } from './exact-json.ts';
import { redact } from './redaction.ts';

/** The provider's own code and message. Bounded and without secrets; the message may still name a beneficiary. */
export interface ErrorDetails {
  code: string | null;
  message: string | null;
}

const MAX_MESSAGE_LENGTH = 300;
const CODE = /^[\w.:-]{1,64}$/;

/** Nesting of errors inside errors that is read. */
const MAX_DEPTH = 5;

/**
 * Finds code and message in an error body of any shape: a JSON string, `{message}`, `{error}` as text or object,
 * `{errors: […]}`, plain text, HTML, or nothing. The contract shows no shape. Contract: account 7.
 */
export function readErrorBody(body: string, secrets: readonly string[]): ErrorDetails {
  const json = tryJson(body);
  const details = json === undefined ? { code: null, message: body } : detailsOf(json, MAX_DEPTH);
  const code = details.code === null ? null : redact(details.code, secrets);
  return {
    code: code !== null && CODE.test(code) ? code : null,
    message: details.message === null ? null : toPlainLine(details.message, secrets),
  };
}

function tryJson(body: string): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

function detailsOf(value: unknown, depth: number): ErrorDetails {
  if (typeof value === 'string') return { code: null, message: value };
  if (depth === 0 || typeof value !== 'object' || value === null) return { code: null, message: null };
  if (Array.isArray(value)) return joined(value.map((entry: unknown) => detailsOf(entry, depth - 1)));
  const fields = new Map<string, unknown>(Object.entries(value));
  const inner = joined(
    ['error', 'errors', 'data', 'details'].flatMap((name) => {
      const nested = fields.get(name) ?? null;
      return [detailsOf(nested, depth - 1), ...(name === 'errors' ? detailsByField(nested) : [])];
    }),
  );
  const message = textIn(fields, ['message', 'msg', 'error_description', 'detail', 'title', 'reason']);
  const field = textIn(fields, ['field', 'property', 'path']);
  const own = message !== null && field !== null ? `${field}: ${message}` : message;
  const all = [own, inner.message].filter((text) => text !== null && text !== '');
  const code = textIn(fields, ['code', 'errorCode', 'error_code', 'type']) ?? inner.code;
  return { code, message: all.length === 0 ? null : all.join('; ') };
}

/** `{errors: {field: 'what is wrong'}}`, and the same with a list for each field. */
function detailsByField(errors: unknown): ErrorDetails[] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors) || 'message' in errors) return [];
  const fields = new Map<string, unknown>(Object.entries(errors));
  return [...fields.keys()].map((name) => {
    const text = textIn(fields, [name]);
    return { code: null, message: text === null ? null : `${name}: ${text}` };
  });
}

function joined(parts: ErrorDetails[]): ErrorDetails {
  const messages = parts.map((part) => part.message).filter((text) => text !== null && text !== '');
  return {
    code: parts.find((part) => part.code !== null)?.code ?? null,
    message: messages.length === 0 ? null : messages.join('; '),
  };
}

function textIn(fields: Map<string, unknown>, names: string[]): string | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')) {
      return value.join('; ');
    }
  }
  return null;
}

/** One line of plain text; an HTML page loses its tags, scripts and styles. */
function toPlainLine(message: string, secrets: readonly string[]): string | null {
  const plain = message.includes('<')
    ? message.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ')
    : message;
  const line = redact(plain.slice(0, 20_000), secrets)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : line;
}

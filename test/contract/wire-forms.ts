import { isLosslessNumber } from 'lossless-json';

/** What is read out of a failed answer's body; null where the form has no place for it. */
interface ErrorForm {
  readonly contentType: string;
  readonly write: (code: string, message: string) => string;
  readonly keepsCode: boolean;
  readonly keepsMessage: boolean;
}

/** How a provider may write what the contract leaves open, and the sandbox writes in one way only. */
export interface WireForm {
  readonly name: string;
  /** Rewrites the JSON of an answer with a 2xx status; its numbers are lossless ones. */
  readonly answer?: (json: unknown) => unknown;
  readonly error?: ErrorForm;
}

export const asTheSandboxWrites: WireForm = { name: 'as the sandbox writes' };

type Entries = Record<string, unknown>;

const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

function unwrapped(json: unknown): unknown {
  if (!isObject(json)) return json;
  const [[name, content] = [], ...others] = Object.entries(json);
  return others.length === 0 && (name === 'data' || name === 'value') ? content : json;
}

/** Every value in the JSON, innermost first, by what `change` makes of it; undefined leaves a member out. */
function everywhere(json: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(json)) return json.map((entry) => change(everywhere(entry, change)));
  if (!isObject(json)) return change(json);
  const members = Object.entries(json).map(([name, value]) => [name, change(everywhere(value, change))] as const);
  return change(Object.fromEntries(members.filter(([, value]) => value !== undefined)));
}

const json = 'application/json';

const errorForm = (
  name: string,
  write: (code: string, message: string) => unknown,
  keeps: { code?: boolean; message?: boolean; contentType?: string } = {},
): WireForm => ({
  name: `errors as ${name}`,
  error: {
    contentType: keeps.contentType ?? json,
    write: (code, message) => {
      const written = write(code, message);
      return keeps.contentType === undefined ? JSON.stringify(written) : String(written);
    },
    keepsCode: keeps.code ?? false,
    keepsMessage: keeps.message ?? true,
  },
});

type Rewriting = (answer: unknown) => unknown;

const otherEnvelope: Rewriting = (answer) => {
  const content = unwrapped(answer);
  return Array.isArray(content) ? { value: content } : { data: content };
};

const numbersAsTexts: Rewriting = (answer) =>
  everywhere(answer, (value) => (isLosslessNumber(value) ? value.value : value));

const timesWithoutZone: Rewriting = (answer) =>
  everywhere(answer, (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value.slice(0, -1) : value,
  );

const unsetLeftOut: Rewriting = (answer) => everywhere(answer, (value) => (value === null ? undefined : value));

const unforeseen: Rewriting = (answer) =>
  everywhere(answer, (value) =>
    isObject(value) && !('data' in value) && !('value' in value) ? { ...value, unforeseen: { is: ['it'] } } : value,
  );

/** Answers that are no failure. The contract wraps them in three ways and leaves the rest open. */
const answerForms: readonly WireForm[] = [
  { name: 'no envelopes, times without a zone', answer: (answer) => timesWithoutZone(unwrapped(answer)) },
  { name: 'the other envelope, unset fields left out', answer: (answer) => otherEnvelope(unsetLeftOut(answer)) },
  { name: 'numbers as texts, fields that nobody foresaw', answer: (answer) => unforeseen(numbersAsTexts(answer)) },
];

/** Failures. The contract shows no body of one. Contract: account 7. */
const errorForms: readonly WireForm[] = [
  errorForm('a message', (_, message) => ({ message })),
  errorForm('error with a text', (_, message) => ({ error: message })),
  errorForm('a list of errors', (code, message) => ({ errors: [{ code, message }] }), { code: true }),
  errorForm('a JSON string', (_, message) => message),
  errorForm('plain text', (_, message) => message, { contentType: 'text/plain' }),
  errorForm('an HTML page', (_, message) => `<html><body><p>${message}</p></body></html>`, {
    contentType: 'text/html',
  }),
  errorForm('an empty body', () => '', { message: false, contentType: 'text/plain' }),
];

/** Each form of an answer beside one of a failure: they meet in no answer, so that one run shows both. */
export const wireForms: readonly WireForm[] = answerForms.map((answer, place) => {
  const failure = errorForms[place] ?? asTheSandboxWrites;
  return { ...failure, ...answer, name: `${answer.name}, ${failure.name}` };
});

/** The forms of failures that stand beside no form of answers. */
export const furtherErrorForms: readonly WireForm[] = errorForms.slice(answerForms.length);

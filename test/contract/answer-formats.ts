import { isLosslessNumber } from 'lossless-json';

/** A format of error bodies, and which of code and message it contains. */
interface ErrorFormat {
  readonly contentType: string;
  readonly write: (code: string, message: string) => string;
  readonly keepsCode: boolean;
  readonly keepsMessage: boolean;
}

/** A format that the contract allows and the sandbox does not use. */
export interface AnswerFormat {
  readonly name: string;
  /** Rewrites the JSON of an answer with a 2xx status; its numbers are lossless ones. */
  readonly answer?: (json: unknown) => unknown;
  readonly error?: ErrorFormat;
}

export const sandboxFormat: AnswerFormat = { name: 'the format of the sandbox' };

type Entries = Record<string, unknown>;

const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

function unwrapped(json: unknown): unknown {
  if (!isObject(json)) return json;
  const [[name, content] = [], ...others] = Object.entries(json);
  return others.length === 0 && (name === 'data' || name === 'value') ? content : json;
}

/** The JSON with every value changed, innermost first; undefined removes a member. */
function changeEach(json: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(json)) return json.map((entry) => change(changeEach(entry, change)));
  if (!isObject(json)) return change(json);
  const members = Object.entries(json).map(([name, value]) => [name, change(changeEach(value, change))] as const);
  return change(Object.fromEntries(members.filter(([, value]) => value !== undefined)));
}

const json = 'application/json';

const errorFormat = (
  name: string,
  write: (code: string, message: string) => unknown,
  keeps: { code?: boolean; message?: boolean; contentType?: string } = {},
): AnswerFormat => ({
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
  changeEach(answer, (value) => (isLosslessNumber(value) ? value.value : value));

const timesWithoutZone: Rewriting = (answer) =>
  changeEach(answer, (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value.slice(0, -1) : value,
  );

const unsetLeftOut: Rewriting = (answer) => changeEach(answer, (value) => (value === null ? undefined : value));

const additionalFields: Rewriting = (answer) =>
  changeEach(answer, (value) =>
    isObject(value) && !('data' in value) && !('value' in value) ? { ...value, additional: { is: ['it'] } } : value,
  );

/** Formats of successful answers. The contract has three envelopes and leaves the rest open. */
const successFormats: readonly AnswerFormat[] = [
  { name: 'no envelopes, times without a zone', answer: (answer) => timesWithoutZone(unwrapped(answer)) },
  { name: 'the other envelope, unset fields left out', answer: (answer) => otherEnvelope(unsetLeftOut(answer)) },
  { name: 'numbers as strings, additional fields', answer: (answer) => additionalFields(numbersAsTexts(answer)) },
];

/** Formats of errors, of which the contract shows none. Contract: account 7. */
const errorFormats: readonly AnswerFormat[] = [
  errorFormat('a message', (_, message) => ({ message })),
  errorFormat('error with a text', (_, message) => ({ error: message })),
  errorFormat('a list of errors', (code, message) => ({ errors: [{ code, message }] }), { code: true }),
  errorFormat('a JSON string', (_, message) => message),
  errorFormat('plain text', (_, message) => message, { contentType: 'text/plain' }),
  errorFormat('an HTML page', (_, message) => `<html><body><p>${message}</p></body></html>`, {
    contentType: 'text/html',
  }),
  errorFormat('an empty body', () => '', { message: false, contentType: 'text/plain' }),
];

/** Each format of successful answers with one of errors: an answer has only one of them, so one run tests both. */
export const answerFormats: readonly AnswerFormat[] = successFormats.map((answer, place) => {
  const failure = errorFormats[place] ?? sandboxFormat;
  return { ...failure, ...answer, name: `${answer.name}, ${failure.name}` };
});

/** The error formats that are not combined with a format of successful answers. */
export const remainingErrorFormats: readonly AnswerFormat[] = errorFormats.slice(successFormats.length);

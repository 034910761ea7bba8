import { z } from 'zod';
import { readJson } from '../provider/calls/exact-json.ts';

/** Headers as names and values: in one variable as a JSON object, or in the accounts file. */

const SHAPE = z.record(z.string(), z.string());
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Printable ASCII, spaces only inside: what arrives is then what was sent. */
const VALUE = /^[!-~]+(?: +[!-~]+)*$/;

const OF_THE_SENDER = 'leave it out: every request has it, and it tells nothing';
const NO_CREDENTIAL = 'leave it out: no credential goes to a storage';
const OF_THE_FILE = 'leave it out: it is that of the file';

/** Headers that webhooks must carry. */
export const webhookHeaders = headerFields(
  new Map(
    ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding'].map((name) => [name, OF_THE_SENDER]),
  ),
);

const UNUSABLE_FOR_UPLOADS = new Map([
  ['authorization', NO_CREDENTIAL],
  ['cookie', NO_CREDENTIAL],
  ['x-api-key', NO_CREDENTIAL],
  ['content-length', OF_THE_FILE],
  ['content-type', OF_THE_FILE],
]);

/** Headers that documents are uploaded with, besides their media type. */
export const uploadHeaders = headerFields(UNUSABLE_FOR_UPLOADS);

/** The same, as an object instead of its JSON text. */
export const uploadHeadersByName = SHAPE.transform((given, context) =>
  checkedHeaders(given, UNUSABLE_FOR_UPLOADS, context),
);

/**
 * A field that reads the JSON text into value by name, names in lower case. `unusable` has names in lower case that
 * cannot be given, and why. Its messages name headers, and never a value.
 */
function headerFields(unusable: ReadonlyMap<string, string>) {
  return z.string().transform((text, context): Record<string, string> => {
    const given = headersIn(text);
    if (given !== null) return checkedHeaders(given, unusable, context);
    context.addIssue({ code: 'custom', message: 'give a JSON object, as {"x-name": "value"}' });
    return z.NEVER;
  });
}

function checkedHeaders(
  given: Record<string, string>,
  unusable: ReadonlyMap<string, string>,
  context: z.core.$RefinementCtx,
): Record<string, string> {
  for (const message of problemsOf(given, unusable)) context.addIssue({ code: 'custom', message });
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
}

function headersIn(text: string): Record<string, string> | null {
  try {
    return SHAPE.parse(readJson(text));
  } catch {
    // What is wrong quotes the text, which holds secrets.
    return null;
  }
}

function problemsOf(given: Record<string, string>, unusable: ReadonlyMap<string, string>): string[] {
  const names = Object.keys(given);
  if (names.length === 0) return ['name a header, or leave it out'];
  return names.flatMap((name, index) => {
    if (!NAME.test(name)) return [`header ${index + 1} has no usable name: give letters, digits and hyphens`];
    const lower = name.toLowerCase();
    if (names.findIndex((other) => other.toLowerCase() === lower) !== index) {
      return [`${name} is given twice: capitals make no difference`];
    }
    const why = unusable.get(lower);
    if (why !== undefined) return [`${name}: ${why}`];
    return VALUE.test(given[name] ?? '') ? [] : [`${name}: give a value of printable ASCII without spaces around it`];
  });
}

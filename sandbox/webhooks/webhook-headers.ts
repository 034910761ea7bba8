import { z } from 'zod';

/** The sandbox sets these itself: a second value would make the request invalid. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'host',
]);

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The headers of every notification of an account: values by name. */
export const webhookHeaders = z
  .record(z.string(), z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'))
  .superRefine((headers, context) => {
    for (const name of Object.keys(headers)) {
      const problem = nameProblem(name);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  });

function nameProblem(name: string): string | undefined {
  if (!namePattern.test(name)) return 'must be the name of a header, e.g. X-Hook-Secret';
  return ownHeaders.has(name.toLowerCase()) ? 'is set by the sandbox itself' : undefined;
}

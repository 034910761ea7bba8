import { z } from 'zod';

/** These are the sandbox's to set: a second value would spoil the request. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'host',
]);

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What goes with every notification of an account: header values by name. */
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

import { z } from 'zod';
import { certificateFile } from '../../config/certificates.ts';
import { unknownVariables } from '../../config/known-variables.ts';
import { allowPlaintext } from '../../config/plaintext.ts';
import type { CommandIo } from './command-io.ts';
import { WrongInput } from './exit-code.ts';

const SCHEMA = z.object({
  PAYRUN_URL: z
    .url({ protocol: /^https?$/, error: 'give an address such as http://127.0.0.1:8700' })
    .refine(
      (url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === '',
      'leave out the credentials',
    )
    .optional(),
  PAYRUN_TOKEN: z
    .string()
    .trim()
    .regex(/^[!-~]+$/, 'give a token: letters, digits and signs, without spaces')
    .optional(),
  PAYRUN_AS: z.string().optional(),
  PAYRUN_HOME: z.string().optional(),
  PAYRUN_CA_FILE: certificateFile.optional(),
  PAYRUN_ALLOW_PLAINTEXT: allowPlaintext.default([]),
});

export type CommandLineEnvironment = z.output<typeof SCHEMA>;

/** What commands that call a server read from the environment. Throws WrongInput that names every wrong variable. */
export function readCommandLineEnvironment(env: CommandIo['env']): CommandLineEnvironment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = SCHEMA.safeParse(given);
  const wrong = (read.error?.issues ?? []).map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  const problems = [...unknownVariables(given), ...wrong];
  if (!read.success || problems.length > 0) throw wrongVariables(problems);
  return read.data;
}

export function wrongVariables(problems: readonly string[]): WrongInput {
  return new WrongInput(`these environment variables are wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

import type { StepUpSubject } from '../../../api/users/second-factor.ts';
import { PayrunApiError } from '../../sdk/errors.ts';
import type { PayrunClient } from '../../sdk/index.ts';

export const CODE_OPTION = [
  '--code <digits>',
  'a code of your authenticator app, where the policy asks for a second factor',
] as const;

/** Decides. Where the server asks for a second factor and a code was given, shows it for what the server names, and decides again. */
export async function withCode<T>(
  client: PayrunClient,
  code: string | undefined,
  decide: () => Promise<T>,
): Promise<T> {
  try {
    return await decide();
  } catch (error) {
    if (code === undefined || !(error instanceof PayrunApiError) || error.code !== 'second_factor_needed') throw error;
    await client.stepUpWithTotp({ subject: error.details?.['subject'] as StepUpSubject, code });
    return decide();
  }
}

import type { BeneficiaryAccount } from '../../api/beneficiaries/endpoints.ts';
import { api } from '../calls/api.ts';
import { type Action, useAction } from '../elements/use-action.tsx';

type Called = Parameters<typeof api.confirmBeneficiaries>[0]['called'];

/** Confirms accounts as they were seen, with a note. */
export function useConfirmAccounts(
  account: string,
  of: { seen: readonly BeneficiaryAccount[]; called: Called },
  then: () => void,
): Action<string | null, unknown> {
  const { seen, called } = of;
  return useAction(
    (note: string | null) =>
      api.confirmBeneficiaries({
        ...{ account, called, note: note ?? '' },
        accounts: seen.map(({ id, hash }) => ({ id, hash })),
      }),
    { changes: [['beneficiary', account], ['beneficiaries'], ['inbox'], ['runs'], ['run']], then },
  );
}

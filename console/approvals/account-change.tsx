import type { ReactNode } from 'react';
import type { ShownAccount } from '../../api/runs/review.ts';
import { OldBesideNew } from '../elements/old-beside-new.tsx';
import { Facts } from '../elements/page.tsx';

const FIELDS = [
  ['iban', 'IBAN'],
  ['accountNumber', 'Account number'],
  ['bankCode', 'Bank code'],
  ['bankName', 'Bank'],
  ['holder', 'Holder'],
  ['country', 'Country'],
  ['intermediaryBank', 'Intermediary bank'],
] as const satisfies readonly (readonly [keyof ShownAccount, string])[];

/** The account that was paid last beside that of this run. */
export function AccountChange({ from, to }: { from: ShownAccount | null; to: ShownAccount }): ReactNode {
  const rows = FIELDS.map(([field, name]) => ({ name, old: from?.[field] ?? null, new: to[field] }));
  return (
    <OldBesideNew
      label="Old and new bank details"
      what={null}
      oldName="Paid last"
      newName="In this run"
      rows={rows.filter((row) => row.old !== null || row.new !== null)}
      isOldUnknown={from === null}
    />
  );
}

/** An account, as far as it is known. */
export function AccountFacts({ account }: { account: ShownAccount }): ReactNode {
  return <Facts of={FIELDS.map(([field, name]) => (account[field] === null ? null : [name, account[field]]))} />;
}

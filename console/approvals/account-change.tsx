import type { ReactNode } from 'react';
import type { ShownAccount } from '../../api/runs/review.ts';
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

/** Old beside new, with what differs marked in both. */
export function AccountChange({ from, to }: { from: ShownAccount | null; to: ShownAccount }): ReactNode {
  const fields = FIELDS.filter(([field]) => (from?.[field] ?? null) !== null || to[field] !== null);
  return (
    <div className="table-wrap">
      <table className="change" aria-label="Old and new bank details">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Field</span>
            </th>
            <th scope="col">Paid last</th>
            <th scope="col">In this run</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(([field, name]) => {
            const differs = from !== null && from[field] !== to[field];
            return (
              <tr key={field} data-differs={differs}>
                <th scope="row">{name}</th>
                <td>
                  {from === null ? (
                    <span className="muted">not known</span>
                  ) : (
                    <Value text={from[field]} isOld={differs} />
                  )}
                </td>
                <td>{differs ? <mark>{to[field] ?? 'none'}</mark> : (to[field] ?? '–')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Value({ text, isOld }: { text: string | null; isOld: boolean }): ReactNode {
  return isOld ? <del>{text ?? 'none'}</del> : (text ?? '–');
}

/** An account, as far as it is known. */
export function AccountFacts({ account }: { account: ShownAccount }): ReactNode {
  return <Facts of={FIELDS.map(([field, name]) => (account[field] === null ? null : [name, account[field]]))} />;
}

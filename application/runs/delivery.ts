import { asDelivered, railName } from '../../domain/payment-file/rail-texts.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import type { OpenedRow } from './opened-row.ts';

/** What the payee will read. Null: the rules of the system that carries it, or the account, are not known. */
export function deliveryOf({
  instruction,
  known,
  plain,
}: Pick<OpenedRow, 'instruction' | 'known' | 'plain'>): RowSummary['delivery'] {
  const { country, bankAccountHolderName = '' } = known?.bankAccount ?? {};
  if (instruction === null || plain === null || country === undefined) return null;
  const delivered = asDelivered({ currency: plain.buyCurrency, bankAccountCountry: country }, plain.paymentChannel, {
    name: bankAccountHolderName,
    address: '',
    reference: instruction.paymentReference,
  });
  if (delivered === null) return null;
  const { rail, name, reference } = delivered;
  return {
    by: railName(rail),
    name: name.text,
    nameCut: name.cut,
    reference: reference.text,
    referenceCut: reference.cut,
    lost: [...new Set([...name.lost, ...reference.lost])].join(''),
  };
}

import { hash32 } from '../core/seeded-random.ts';

/** Fields that the contract has as null while there is nothing in them. Contract: payments 2.1, 2.5, 2.6, 2.7, 6. */
const NULL_BY_CONTRACT: ReadonlySet<string> = new Set([
  'iban',
  'aba',
  'bsbCode',
  'sortCode',
  'institutionNo',
  'bankCode',
  'branchCode',
  'cnaps',
  'clabe',
  'beneficiaryId',
  'completedAt',
  'failureReason',
  'transactionId',
  'reason',
]);

/** Fields that are left out by a switch, or whose absence means something of its own. */
const ABSENT_BY_MEANING: ReadonlySet<string> = new Set(['supportingDocumentsRequired', 'userId']);

/** Whether a field without a value is written as null or left out. The contract does not say which. */
export function unsetFieldsOf(seed: number): (name: string, value: null | undefined) => null | undefined {
  const way = ['null', 'absent', 'by field'][hash32(`${seed}/unset`) % 3];
  return (name, value) => {
    if (value === null ? NULL_BY_CONTRACT.has(name) : ABSENT_BY_MEANING.has(name)) return value;
    if (way === 'by field') return hash32(`${seed}/unset/${name}`) % 2 === 0 ? null : undefined;
    return way === 'null' ? null : undefined;
  };
}

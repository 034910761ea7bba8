import { hash32 } from '../core/seeded-random.ts';

/** Fields that are null in the contract while they have no value. Contract: payments 2.1, 2.5, 2.6, 2.7, 6. */
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

/** Fields that a switch omits, or whose absence has a meaning. */
const ABSENT_BY_CONTRACT: ReadonlySet<string> = new Set(['supportingDocumentsRequired', 'userId']);

/** Whether a field without a value is written as null or omitted. The contract does not say which. */
export function unsetFieldsOf(seed: number): (name: string, value: null | undefined) => null | undefined {
  const form = ['null', 'absent', 'by field'][hash32(`${seed}/unset`) % 3];
  return (name, value) => {
    if (value === null ? NULL_BY_CONTRACT.has(name) : ABSENT_BY_CONTRACT.has(name)) return value;
    if (form === 'by field') return hash32(`${seed}/unset/${name}`) % 2 === 0 ? null : undefined;
    return form === 'null' ? null : undefined;
  };
}

import type { Operation } from '../http/operation.ts';
import { authentication } from './authentication.ts';
import { balances } from './balances.ts';
import { beneficiaries } from './beneficiaries.ts';
import { currencyOperations } from './currencies.ts';
import { paymentQuotes } from './payment-quotes.ts';
import { simplePayments } from './simple-payments.ts';
import { supportingFiles } from './supporting-files.ts';

/** Every operation of the API; the router, the counts, the faults and the description go by this table. */
export const operations: readonly Operation[] = [
  ...authentication,
  ...beneficiaries,
  ...currencyOperations,
  ...paymentQuotes,
  ...supportingFiles,
  ...simplePayments,
  ...balances,
];

/** The upload has no path of the API: it goes to the address that was issued for it. */
export const uploadOperation = 'simple-payment-upload-file';

/** The checklist ids that faults can be ordered for. */
export const operationIds: ReadonlySet<string> = new Set([...operations.flatMap(({ ids }) => ids), uploadOperation]);

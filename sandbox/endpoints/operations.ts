import type { Operation } from '../http/operation.ts';
import { storageOperations } from '../documents/storage-operations.ts';
import { authentication } from './authentication.ts';
import { balances } from './balances.ts';
import { beneficiaries } from './beneficiaries.ts';
import { companies } from './companies.ts';
import { conversions } from './conversions.ts';
import { currencyOperations } from './currencies.ts';
import { documents } from '../documents/document-operations.ts';
import { fundings, refunds } from './fundings-and-refunds.ts';
import { paymentQuotes } from './payment-quotes.ts';
import { signUps } from './sign-ups.ts';
import { simplePayments } from './simple-payments.ts';
import { supportingFiles } from '../documents/supporting-file-operations.ts';
import { users } from './users.ts';
import { virtualAccounts } from './virtual-accounts.ts';

/** Every operation of the API, for the router, the counters, the faults and the description. */
export const operations: readonly Operation[] = [
  ...authentication,
  ...signUps,
  ...users,
  ...companies,
  ...documents,
  ...fundings,
  ...refunds,
  ...beneficiaries,
  ...currencyOperations,
  ...conversions,
  ...paymentQuotes,
  ...supportingFiles,
  ...simplePayments,
  ...balances,
  ...virtualAccounts,
];

/** The checklist ids to which faults can be added. */
export const operationIds: ReadonlySet<string> = new Set([
  ...operations.flatMap(({ ids }) => ids),
  ...storageOperations,
]);

import { authentication } from './areas/authentication.ts';
import { balances } from './areas/balances.ts';
import { beneficiaries } from './areas/beneficiaries.ts';
import { company } from './areas/company.ts';
import { conversions } from './areas/conversions.ts';
import { currencies } from './areas/currencies.ts';
import { documents } from './areas/documents.ts';
import { fundings } from './areas/fundings.ts';
import { notifications } from './areas/notifications.ts';
import { paymentQuotes } from './areas/payment-quotes.ts';
import { refunds } from './areas/refunds.ts';
import { registration } from './areas/registration.ts';
import { secondFundings } from './areas/second-fundings.ts';
import { screenings } from './areas/screenings.ts';
import { signUps } from './areas/sign-ups.ts';
import { simplePayments } from './areas/simple-payments.ts';
import { supportingFiles } from './areas/supporting-files.ts';
import { userDetails } from './areas/user-details.ts';
import { virtualAccounts } from './areas/virtual-accounts.ts';
import type { Area } from './contract-case.ts';

/** The first document of the contract: who the caller is, and whom it signs up. */
export const accountAreas: readonly Area[] = [
  authentication,
  ...registration,
  ...signUps,
  userDetails,
  ...screenings,
  ...company,
  documents,
];

/** Money, which comes in by the first document and is paid by the second. */
export const moneyAreas: readonly Area[] = [
  fundings,
  refunds,
  beneficiaries,
  currencies,
  conversions,
  paymentQuotes,
  supportingFiles,
  secondFundings,
  simplePayments,
  balances,
  virtualAccounts,
  notifications,
];

export const allAreas: readonly Area[] = [...accountAreas, ...moneyAreas];

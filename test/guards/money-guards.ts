import { ANSWER_GUARDS } from './answer-guards.ts';
import { APPROVED_GUARDS } from './approved-guards.ts';
import { CONFIRMING_GUARDS } from './confirming-guards.ts';
import type { Guard } from './guard.ts';
import { PROFILE_GUARDS } from './profile-guards.ts';
import { RECEIPT_GUARDS } from './receipt-guards.ts';
import { LEDGER_GUARDS } from './ledger-guards.ts';
import { ONCE_GUARDS } from './once-guards.ts';
import { OUTCOME_GUARDS } from './outcome-guards.ts';
import { CONVERSION_EVIDENCE_GUARDS } from './conversion-evidence-guards.ts';
import { CONVERSION_GUARDS } from './conversion-guards.ts';
import { ORDER_GUARDS } from './order-guards.ts';
import { SHEET_GUARDS } from './sheet-guards.ts';
import { TREASURY_GUARDS } from './treasury-guards.ts';

/**
 * Guards of the money: a payment is what its file says; a payment or conversion is created and charged once, is the approved one, and
 * its recorded outcome is true.
 */
export const MONEY_GUARDS: readonly Guard[] = [
  ...SHEET_GUARDS,
  ...ORDER_GUARDS,
  ...ONCE_GUARDS,
  ...ANSWER_GUARDS,
  ...APPROVED_GUARDS,
  ...OUTCOME_GUARDS,
  ...CONFIRMING_GUARDS,
  ...TREASURY_GUARDS,
  ...CONVERSION_GUARDS,
  ...CONVERSION_EVIDENCE_GUARDS,
  ...LEDGER_GUARDS,
  ...RECEIPT_GUARDS,
  ...PROFILE_GUARDS,
];

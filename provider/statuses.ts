/**
 * The statuses in the contract. They are open: an unknown value is kept as it is, and changes no state.
 * Contract: account 3, payments 3.
 */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** `PAYRUN_PAYMENT_STATUSES` defines the meaning of other values. */
export type SimplePaymentStatus = Open<'awaiting_funds' | 'processing' | 'completed' | 'rejected' | 'failed'>;

const CONVERSION_STATUSES = ['awaiting_funds', 'completed'] as const;

export type ConversionStatus = Open<(typeof CONVERSION_STATUSES)[number]>;

/** Whether the contract says what it means. */
export function isNamedConversionStatus(status: ConversionStatus): boolean {
  return CONVERSION_STATUSES.some((named) => named === status);
}

export type FundingStatus = Open<'awaiting_funds' | 'pending' | 'completed' | 'failed'>;

export type RefundStatus = Open<'pending' | 'completed' | 'failed'>;

export type VirtualAccountRequestStatus = Open<'pending' | 'approved' | 'cancelled' | 'rejected'>;

export type UserStatus = Open<
  | 'pending_phone'
  | 'pending_docs'
  | 'pending_approval'
  | 'approved'
  | 'rejected'
  | 'documents_need_resubmission'
  | 'pending_verification'
  | 'inactive'
  // In newer versions of the provider.
  | 'withdrawn'
  | 'terminated'
  | 'closed'
>;

/** The contract has no list of these: it only shows `completed`. */
export type DepositStatus = Open<'completed'>;

/**
 * Statuses that the contract names. They are open: a value that is not listed is kept as it came, and moves nothing.
 * Contract: account 3, payments 3.
 */
type Open<Known extends string> = Known | (string & Record<never, never>);

export const SIMPLE_PAYMENT_STATUSES = ['awaiting_funds', 'processing', 'completed', 'rejected', 'failed'] as const;
export type SimplePaymentStatus = Open<(typeof SIMPLE_PAYMENT_STATUSES)[number]>;

export const CONVERSION_STATUSES = ['awaiting_funds', 'completed'] as const;
export type ConversionStatus = Open<(typeof CONVERSION_STATUSES)[number]>;

export const FUNDING_STATUSES = ['awaiting_funds', 'pending', 'completed', 'failed'] as const;
export type FundingStatus = Open<(typeof FUNDING_STATUSES)[number]>;

export const REFUND_STATUSES = ['pending', 'completed', 'failed'] as const;
export type RefundStatus = Open<(typeof REFUND_STATUSES)[number]>;

export const VIRTUAL_ACCOUNT_REQUEST_STATUSES = ['pending', 'approved', 'cancelled', 'rejected'] as const;
export type VirtualAccountRequestStatus = Open<(typeof VIRTUAL_ACCOUNT_REQUEST_STATUSES)[number]>;

export const USER_STATUSES = [
  'pending_phone',
  'pending_docs',
  'pending_approval',
  'approved',
  'rejected',
  'documents_need_resubmission',
  'pending_verification',
  'inactive',
] as const;
export type UserStatus = Open<(typeof USER_STATUSES)[number]>;

/** Deposits have no list of statuses: the contract only shows `completed`. */
export type DepositStatus = Open<'completed'>;

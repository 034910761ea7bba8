/**
 * Statuses that the contract names. They are open: a value that is not listed is kept as it came, and moves nothing.
 * Contract: account 3, payments 3.
 */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** What others mean is for `PAYRUN_PAYMENT_STATUSES` to say. */
export type SimplePaymentStatus = Open<'awaiting_funds' | 'processing' | 'completed' | 'rejected' | 'failed'>;

export type ConversionStatus = Open<'awaiting_funds' | 'completed'>;

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
  // Of newer versions of the provider.
  | 'withdrawn'
  | 'terminated'
  | 'closed'
>;

/** Deposits have no list of statuses: the contract only shows `completed`. */
export type DepositStatus = Open<'completed'>;

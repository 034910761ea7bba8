/** How the sandbox reads the contract of payments, conversions and balances where it is open or has variants. */
export interface PaymentVariants {
  /** `earlier`: quotes say nothing about documents, files are always required, OTH and OTHR need a description. */
  readonly paymentVariant: 'later' | 'earlier';
  /** Whether deprecated purposes and OTH are refused. */
  readonly strictPurpose: boolean;
  /** What creating a payment under an existing reference does, when uniqueness is requested. */
  readonly duplicateReference: 'refuse' | 'return' | 'create';
  /** What funding a payment in processing, or a funded conversion, again does; `charge` debits the money again. */
  readonly secondFunding: 'refuse' | 'same' | 'charge';
  /** Whether answers give the reason of rejected and failed payments, or of failed payments only. */
  readonly failureReason: 'both' | 'failed';
  /** Whether refunds of rejected and failed payments are notified; refunds made with the control API always are. */
  readonly refundEvents: 'off' | 'on';
  readonly refundAmount: 'string' | 'number';
  /** Whether the callers are ultimate partners, whose quotes may carry `partner`. */
  readonly ultimatePartner: boolean;
  /** What a quote with `partner` does for callers that are not ultimate partners. */
  readonly partnerFromOtherCallers: 'ignore' | 'refuse';
  /**
   * How requirements are written: the entity type itself and anchored patterns, or a pattern for the entity type and
   * unanchored patterns. They mean the same.
   */
  readonly requirementForm: 'literal' | 'pattern';
  /** The maximum number of results of find, the newest; 0: all. */
  readonly maxFindResults: number;
  /** How the list of fundings spells the account. */
  readonly fundingAccountSpelling: 'accountId' | 'accountID';
  /** What a status filter of fundings other than completed and pending does. */
  readonly fundingFilter: 'refuse' | 'ignore';
  /** Where a virtual account request is read; contains `:requestId`. */
  readonly virtualAccountRequestPath: string;
  /** The provider codes for which virtual accounts can be requested; none: any code. */
  readonly virtualAccountProviders: readonly string[];
}

export const defaultPaymentVariants: PaymentVariants = {
  paymentVariant: 'later',
  strictPurpose: false,
  duplicateReference: 'refuse',
  secondFunding: 'refuse',
  failureReason: 'both',
  refundEvents: 'on',
  refundAmount: 'string',
  ultimatePartner: false,
  partnerFromOtherCallers: 'ignore',
  requirementForm: 'literal',
  maxFindResults: 0,
  fundingAccountSpelling: 'accountId',
  fundingFilter: 'refuse',
  virtualAccountRequestPath: '/virtual-accounts/v1/requests/item/:requestId',
  virtualAccountProviders: [],
};

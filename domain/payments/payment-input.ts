/** What the workflow of a payment starts with: identifiers, and what decides its first steps. */
export interface PaymentInput {
  paymentId: string;
  runId: string;
  account: string;
  rowNumber: number;
  /** Whether the beneficiary has to be created with the provider. */
  newBeneficiary: boolean;
  /** How many supporting files are uploaded before the quote. */
  files: number;
  /** A request has an unknown outcome, which is looked up before anything else, also while a stop is active. */
  hasOpenRequest: boolean;
  /** The run to notify when this payment ends without being funded. */
  runWorkflowId: string;
}

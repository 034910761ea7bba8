/** An entry of the provider's country list. Contract: account 2.9. */
export interface OnboardingCountry {
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** With its `+`. */
  diallingCode: string | null;
  name: string | null;
}

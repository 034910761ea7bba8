import { type AccountOptions, defaultAccountOptions } from './accounts.ts';
import { defaultHttpOptions, type HttpOptions } from './http-options.ts';
import { defaultPaymentVariants, type PaymentVariants } from './payment-variants.ts';
import { defaultSimulationOptions, type SimulationOptions } from './simulation-options.ts';
import { defaultTimingOptions, type TimingOptions } from './timing-options.ts';
import { defaultUserVariants, type UserVariantOptions } from './user-variants.ts';

/** Everything about the sandbox that can be set. */
export interface SandboxOptions
  extends AccountOptions,
    HttpOptions,
    SimulationOptions,
    TimingOptions,
    PaymentVariants,
    UserVariantOptions {}

export const defaultOptions: SandboxOptions = {
  ...defaultAccountOptions,
  ...defaultHttpOptions,
  ...defaultSimulationOptions,
  ...defaultTimingOptions,
  ...defaultPaymentVariants,
  ...defaultUserVariants,
};

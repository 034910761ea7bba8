import { hash32 } from '../core/seeded-random.ts';
import type { SandboxOptions } from './options.ts';
import { type DrawnVariant, type DrawnVariantOptions, plainUserVariants, type UserVariants } from './user-variants.ts';

/** The options of a running sandbox, in which no variant is `drawn`. */
export type SettledOptions = Omit<SandboxOptions, keyof UserVariants> & UserVariants;

/** What the seed chooses from, each entry equally likely. The contract is silent about every one of them. */
export const drawnVariants: { readonly [Variant in DrawnVariant]: readonly UserVariants[Variant][] } = {
  // A sample shows `pending`, the list of statuses does not.
  initialUserStatus: ['pending_phone', 'pending_docs', 'pending'],
  screeningIncomplete: ['refuse', 'unchanged'],
  screeningAnswer: ['new', 'old'],
  screeningSteps: ['direct', 'verification'],
  rejectionRemarks: ['present', 'absent'],
  userEvents: ['every', 'changes', 'decisions'],
  userDetailStatus: ['object', 'string'],
  // The field list has it and a sample lacks it: rarer than the others.
  signupUserId: ['returned', 'returned', 'returned', 'omitted'],
  companyPostalCode: ['string', 'number'],
  documentUrlSpelling: ['Url', 'URL'],
};

/**
 * Replaces `drawn` by a value: the one that a state file recorded, else with plain answers that of `plainUserVariants`,
 * else one drawn from the seed. A file of a version that did not draw the variant yet has the plain value.
 */
export function settledOptions(
  options: SandboxOptions,
  recorded: Readonly<Record<string, unknown>> | null = null,
): SettledOptions {
  const given: DrawnVariantOptions = options;
  const settle = <Variant extends DrawnVariant>(
    variant: Variant,
    values: readonly UserVariants[Variant][] = drawnVariants[variant],
  ): UserVariants[Variant] => {
    const value = given[variant];
    if (value !== 'drawn') return value as UserVariants[Variant];
    const plain = plainUserVariants[variant];
    // The file was written by a sandbox, with one of the values of the variant.
    if (recorded !== null) return (recorded[variant] as UserVariants[Variant] | undefined) ?? plain;
    if (options.answers === 'plain') return plain;
    return values[hash32(`${options.seed}/form/${variant}`) % values.length] ?? plain;
  };
  const signupUserId = settle('signupUserId');
  return {
    ...options,
    initialUserStatus: settle('initialUserStatus'),
    screeningIncomplete: settle('screeningIncomplete'),
    screeningAnswer: settle('screeningAnswer'),
    screeningSteps: settle('screeningSteps'),
    rejectionRemarks: settle('rejectionRemarks'),
    // Otherwise neither the answer nor a notification would tell the id of a new user.
    userEvents: signupUserId === 'omitted' ? settle('userEvents', ['every']) : settle('userEvents'),
    userDetailStatus: settle('userDetailStatus'),
    signupUserId,
    companyPostalCode: settle('companyPostalCode'),
    documentUrlSpelling: settle('documentUrlSpelling'),
  };
}

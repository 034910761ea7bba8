import type { MissingDetails } from '../account/user.ts';
import { hash32 } from '../core/seeded-random.ts';

/** The status of a user's details in answers. Contract: account 2.4, which shows `incomplete` and no other value. */
export interface DetailStatus {
  readonly value: string;
  readonly missing_fields: readonly string[];
}

/** The missing details, in the order of the fields. */
export const plainDetailStatus = ({ details }: MissingDetails): DetailStatus => ({
  value: details.length === 0 ? 'complete' : 'incomplete',
  missing_fields: details,
});

const COMPLETE = ['complete', 'completed', 'ready', 'submitted'];

/**
 * Draws how the missing fields are listed: in what order, whether with those of the company, and whether with an expiry
 * date that may be needed. Draws also the value of details that lack nothing.
 */
export function detailStatusOf(seed: number): (missing: MissingDetails) => DetailStatus {
  const draw = (what: string): number => hash32(`${seed}/missing-fields/${what}`);
  const complete = COMPLETE[draw('complete') % COMPLETE.length] ?? 'complete';
  const isShuffled = draw('order') % 2 === 0;
  const listsCompany = draw('company') % 2 === 0;
  const listsExpiryDate = draw('expiry-date') % 2 === 0;
  return ({ details, company, mayNeedExpiryDate }) => {
    // Fields of the company can have the same names.
    const fields = new Set([
      ...details,
      ...(listsExpiryDate && mayNeedExpiryDate ? ['expiryDate'] : []),
      ...(listsCompany ? company : []),
    ]);
    const listed = [...fields];
    if (isShuffled) listed.sort((one, other) => draw(`order/${one}`) - draw(`order/${other}`));
    return { value: listed.length === 0 ? complete : 'incomplete', missing_fields: listed };
  };
}

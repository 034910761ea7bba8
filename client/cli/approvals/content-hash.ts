import type { RunSummary } from '../../../application/application-api.ts';
import { WrongInput } from '../exit-code.ts';

/** So many characters of a content hash are enough to name it. */
export const SHORT_HASH = 8;
const WHOLE_HASH = 64;

export function shortHash(contentHash: string): string {
  return contentHash.slice(0, SHORT_HASH);
}

/**
 * The whole hash of the content that a person means: the run's own, when what was given is that or its beginning; null
 * means the run as it is now. @throws WrongInput when it is of another content, or no hash at all.
 */
export function wholeHash({ proposal }: Pick<RunSummary, 'proposal'>, given: string | null): string {
  if (proposal === null) throw new WrongInput('the run is still being checked: try again in a moment');
  const { contentHash } = proposal;
  if (given === null) return contentHash;
  const hash = given.trim().toLowerCase();
  if (!/^[0-9a-f]+$/.test(hash) || hash.length < SHORT_HASH || hash.length > WHOLE_HASH) {
    throw new WrongInput(
      `this is no content hash: give the ${WHOLE_HASH} characters that 'payrun show' gives, or the first ${SHORT_HASH} of them`,
    );
  }
  if (contentHash.startsWith(hash)) return contentHash;
  throw new WrongInput(
    "the run has changed since, or this is the hash of another one: look at it again with 'payrun show'",
  );
}

import type { RunSummary } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';

/** The first characters of a content hash, enough to name it. */
export const SHORT_HASH = 8;
const FULL_HASH = 64;

export function shortHash(contentHash: string): string {
  return contentHash.slice(0, SHORT_HASH);
}

/**
 * The full content hash of the run: `given` is that hash or its beginning, null the run as it is now. @throws WrongInput
 * when the hash is of another content, or not a hash.
 */
export function fullHash({ proposal }: Pick<RunSummary, 'proposal'>, given: string | null): string {
  if (proposal === null) throw new WrongInput('the run is still being checked: try again in a moment');
  const { contentHash } = proposal;
  if (given === null) return contentHash;
  const hash = given.trim().toLowerCase();
  if (!/^[0-9a-f]+$/.test(hash) || hash.length < SHORT_HASH || hash.length > FULL_HASH) {
    throw new WrongInput(
      `not a content hash: give the ${FULL_HASH} characters that 'payrun show' prints, or the first ${SHORT_HASH} of them`,
    );
  }
  if (contentHash.startsWith(hash)) return contentHash;
  throw new WrongInput("the run has changed since, or the hash is of another run: look at it again with 'payrun show'");
}

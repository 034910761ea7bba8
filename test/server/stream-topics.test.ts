import { describe, expect, it } from 'vitest';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { STREAM_SETTINGS, type StreamingApplication, StreamTopics } from '../../server/inbox/stream-topics.ts';
import { TokenProof } from '../../store/users/token-proof.ts';

/** Which watchers share what is read. What is shared is read with the rights of the first of them. */

const USER: SignedIn = {
  ...{ userId: 'user', login: 'chris', name: 'Chris', tokenId: 'token', proof: TokenProof.of('one') },
  ...{ roles: ['checker'], accounts: null },
};
const topics = new StreamTopics({} as StreamingApplication, STREAM_SETTINGS, () => undefined);

function sourceOf(change: Partial<SignedIn>, topic = 'inbox') {
  const source = topics.sourceOf({ ...USER, ...change }, topic);
  // Only what is watched is kept.
  source.watch(() => undefined);
  return source;
}

describe('an inbox', () => {
  it('is read once for several streams of one sign-in', () => {
    expect(sourceOf({})).toBe(sourceOf({}));
  });

  it.each<[string, Partial<SignedIn>]>([
    ['that a user who is limited by now watched before', { accounts: ['subsidiary'] }],
    ['that a user watched with another role', { roles: ['viewer'] }],
    ['that was watched before the session got another proof', { proof: TokenProof.of('two') }],
    ['of another sign-in', { tokenId: 'other' }],
  ])('%s is not shared', (_what, change) => {
    expect(sourceOf(change)).not.toBe(sourceOf({}));
  });
});

describe('a run', () => {
  it('is read once for all who may see the same', () => {
    const run = 'run:018f2a00-0000-7000-8000-000000000001';
    expect(sourceOf({ userId: 'other', tokenId: 'other' }, run)).toBe(sourceOf({}, run));
    expect(sourceOf({ accounts: [] }, run)).not.toBe(sourceOf({}, run));
  });
});

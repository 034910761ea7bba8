import type { Actor } from '../../domain/users/role.ts';
import type { TokenProof } from '../../store/users/token-proof.ts';

/** Whoever a request is from, with the proof by which the record lets them act. */
export interface SignedIn extends Actor {
  login: string;
  name: string;
  tokenId: string;
  proof: TokenProof;
}

import type { Actor } from '../../domain/users/role.ts';
import type { TokenProof } from '../../store/users/token-proof.ts';

/** The user of a request, with the proof by which the database authorizes them. */
export interface SignedIn extends Actor {
  login: string;
  name: string;
  tokenId: string;
  proof: TokenProof;
}

import { VERSION } from '../config/version.ts';
import { versionOfWorkflows } from './workflow-bundle.ts';

const HASH_LENGTH = 12;

/**
 * The version of the deployment that this code is: the package's version and a hash of what the workflows are made of.
 * So a changed workflow is another version also between two releases, and one machine names it as the next does.
 */
export function ownBuildId(): string {
  return `${VERSION}-${versionOfWorkflows().slice(0, HASH_LENGTH)}`;
}

import { VERSION } from '../config/version.ts';
import { versionOfWorkflows } from './workflow-bundle.ts';

const HASH_LENGTH = 12;

/**
 * The deployment version of this code: the package's version and a hash of the workflows' sources. So a changed
 * workflow is a new version between two releases too, and the version is the same on every machine.
 */
export function ownBuildId(): string {
  return `${VERSION}-${versionOfWorkflows().slice(0, HASH_LENGTH)}`;
}

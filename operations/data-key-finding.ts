import { counted } from '../client/cli/wording.ts';
import {
  type DataKeys,
  explainMissingKeys,
  type KeyUse,
  missingKeys,
  unusedFormerKeys,
} from '../domain/personal-data/data-keys.ts';
import type { Finding } from './finding.ts';

/**
 * Whether what is encrypted can be read with the keys of this environment; a running process that got its keys in the
 * environment has those of its start. Null: nothing was ever encrypted.
 */
export function dataKeyFinding(uses: readonly KeyUse[], keys: DataKeys | null): Finding | null {
  if (uses.length === 0) return null;
  const subject = 'personal data';
  if (keys === null) {
    const cases = uses.reduce((sum, use) => sum + use.cases, 0);
    const runs = uses.reduce((sum, use) => sum + use.runs, 0);
    const detail =
      `WARNING: no data key is configured here, but ${counted(cases, 'case')} and ${counted(runs, 'run')} with personal data: a worker or server with this ` +
      'environment can neither read nor add any, nor pay; set PAYRUN_DATA_KEY_FILE';
    return { subject, problem: null, detail };
  }
  const missing = missingKeys(uses, keys);
  if (missing.length > 0) return { subject, problem: explainMissingKeys(missing), detail: '' };
  const former = uses.filter(({ wrappedBy }) => wrappedBy !== keys.current.id).map(({ wrappedBy }) => wrappedBy);
  const unused = unusedFormerKeys(uses, keys);
  const detail = [
    `can be read with the keys of this environment, the current data key is ${keys.current.id}`,
    ...(former.length > 0 ? [`still needed: ${former.join(', ')}, until 'payrun keys rotate'`] : []),
    ...(unused.length > 0 ? [`no longer needed: ${unused.join(', ')}`] : []),
  ].join('; ');
  return { subject, problem: null, detail };
}

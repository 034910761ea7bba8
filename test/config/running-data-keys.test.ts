import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addDataKey } from '../../config/data-key-file.ts';
import { dataKeyLine, newDataKey, parseDataKeys } from '../../config/data-keys.ts';
import { readServerEnvironment } from '../../config/environment.ts';
import { readServerInstallation } from '../../config/installation.ts';
import { removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { caseKeyName, unwrapKey, wrapKey } from '../../store/personal-data/key-wrapping.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const COUNTED = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const COUNTED_ID = '630dcd2966c43366';
const OTHER = Buffer.alloc(32, 7).toString('base64');
const SERVICES = { DATABASE_URL: 'postgres://127.0.0.1:1/payrun', TEMPORAL_ADDRESS: '127.0.0.1:1' };

describe('a running process', () => {
  const stored = (line: string) => {
    const { keys } = parseDataKeys(line) as { keys: DataKeys };
    return wrapKey(keys, caseKeyName('c'), Buffer.alloc(32, 1));
  };
  const opens = (keys: DataKeys | null, line: string) =>
    unwrapKey(keys!, caseKeyName('c'), stored(line)).equals(Buffer.alloc(32, 1));

  test.each([
    [
      'that the environment names',
      (folder: string) => ({ ...SERVICES, PAYRUN_DATA_KEY_FILE: join(folder, 'data-key') }),
    ],
    ['of the payrun that runs here', () => ({})],
  ])('takes a key that was added to the file %s since its start, without a restart', (_, variables) => {
    const folder = temporaryFolder();
    const home = join(folder, '.payrun');
    mkdirSync(home, { recursive: true });
    const given = variables(home);
    if (!('DATABASE_URL' in given)) {
      writeRunningInstance(
        home,
        { serverDatabaseUrl: 'postgres://127.0.0.1:1/p', temporalAddress: '127.0.0.1:1' },
        Date.now,
      );
      onTestFinished(() => removeRunningInstance(home));
    }
    const path = join(home, 'data-key');
    writeFileSync(path, COUNTED);
    const { dataKeys: keys } = readServerInstallation(readServerEnvironment(given), folder);
    const { key: added } = addDataKey(path);
    expect(keys?.current.id).toBe(COUNTED_ID);
    expect(opens(keys, dataKeyLine(added))).toBe(true);
    // From now on it encrypts with the new key, and still reads what the former one wraps.
    expect(keys?.current.id).toBe(added.id);
    expect(opens(keys, COUNTED)).toBe(true);
    // What it knows it keeps, whatever becomes of the file.
    for (const content of ['wrong', OTHER]) {
      writeFileSync(path, content);
      expect(() => opens(keys, dataKeyLine(newDataKey()))).toThrow('add it to this copy, and restart');
      expect([opens(keys, COUNTED), opens(keys, dataKeyLine(added))]).toEqual([true, true]);
    }
    expect(opens(keys, OTHER)).toBe(true);
  });

  test('that got its keys in the environment has to be restarted, and says so', () => {
    const given = { ...SERVICES, PAYRUN_DATA_KEY: COUNTED };
    const { dataKeys: keys } = readServerInstallation(readServerEnvironment(given), temporaryFolder());
    expect(() => opens(keys, OTHER)).toThrow(
      /PAYRUN_DATA_KEY after this process started, restart every worker and server/,
    );
  });
});

/** A key of the installation. It wraps the keys of cases and runs, which encrypt the personal data. */
export interface DataKey {
  /** First 16 hex characters of the SHA-256 of the bytes: names the key without giving it away. */
  id: string;
  /** 32 bytes. */
  bytes: Uint8Array;
}

export interface DataKeys {
  /** Wraps every new key. */
  current: DataKey;
  /** The current key first, then former ones, which only unwrap what they wrapped. */
  all: readonly DataKey[];
  /**
   * Reads the file of the keys again, so that a key that was added since is known from then on. Undefined: they come from
   * the environment, which does not change while a process runs.
   */
  reread?: () => void;
}

/** How much is wrapped by one data key. */
export interface KeyUse {
  /** The id of the data key. */
  wrappedBy: string;
  /** Keys of cases. */
  cases: number;
  /** Keys of runs. */
  runs: number;
  /** When the oldest of those that have not ended was submitted, in UTC; null: all have ended. */
  openRunSince: string | null;
  /** Secrets of the installation, without which nothing can be submitted, and nothing paid. */
  secrets: number;
  /** Secrets that webhooks are signed with. */
  endpoints: number;
  /** Seeds of authenticator apps. */
  totps: number;
}

/** The uses of keys that are not configured: what they wrap cannot be read. `keys` is null if none is configured. */
export function missingKeys(uses: readonly KeyUse[], keys: DataKeys | null): KeyUse[] {
  return uses.filter(({ wrappedBy }) => keys?.all.some(({ id }) => id === wrappedBy) !== true);
}

/** Former keys that wrap nothing any more. */
export function unusedFormerKeys(uses: readonly KeyUse[], keys: DataKeys): string[] {
  return keys.all
    .slice(1)
    .map(({ id }) => id)
    .filter((id) => !uses.some(({ wrappedBy }) => wrappedBy === id));
}

/** What people must know of missing keys, of which there is at least one. It names keys by their ids alone. */
export function explainMissingKeys(missing: readonly KeyUse[]): string {
  const cases = missing.reduce((sum, use) => sum + use.cases, 0);
  const runs = missing.reduce((sum, use) => sum + use.runs, 0);
  const since = missing.flatMap(({ openRunSince }) => openRunSince ?? []).sort()[0];
  const waits =
    since === undefined ? '' : ` (the oldest that waits was submitted at ${since}; none is given up for this)`;
  const [key, are, it] = missing.length === 1 ? ['data key', 'is', 'it'] : ['data keys', 'are', 'each of them'];
  const effects = [
    ...(cases > 0 ? [`the personal data of ${cases === 1 ? '1 case' : `${cases} cases`} cannot be read`] : []),
    ...(runs > 0 ? [`${runs === 1 ? '1 run' : `${runs} runs`} can be neither read nor paid${waits}`] : []),
    ...(missing.some(({ secrets }) => secrets > 0) ? ['no case and no run can be submitted, and nothing paid'] : []),
    ...(missing.some(({ endpoints }) => endpoints > 0) ? ['webhooks of some endpoints cannot be signed'] : []),
    ...(missing.some(({ totps }) => totps > 0) ? ['codes of some authenticator apps cannot be checked'] : []),
  ];
  return (
    `${key} ${missing.map(({ wrappedBy }) => wrappedBy).join(', ')} ${are} not configured: ${effects.join(', and ')}. ` +
    `Restore ${it} from where it is kept, as a further line of the file that PAYRUN_DATA_KEY_FILE names (with 'payrun up': ` +
    'data-key in the data folder), or as a further key in PAYRUN_DATA_KEY: nothing else reads this data'
  );
}

/** A key of the installation. It wraps the keys of the cases, which seal the personal data. */
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

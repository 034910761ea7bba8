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
}

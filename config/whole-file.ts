import { renameSync, writeFileSync } from 'node:fs';

/** Writes a small file whole or not at all, readable by its owner alone unless told otherwise. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const draft = `${path}.${process.pid}.part`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}

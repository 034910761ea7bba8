import type { Database } from '../database/database.ts';
import { sealAudit } from './audit-seals.ts';

const SEAL_EVERY_MS = 1_000;

export interface AuditSealer {
  /** Seals the remaining entries, then ends. */
  stop(): Promise<void>;
}

/**
 * Seals the audit trail every second while the process runs. Several processes may do so; they take turns. `warn` is called
 * once when sealing begins to fail; unsealed entries are sealed later.
 */
export function startAuditSealer(database: Database, warn: (message: string) => void): AuditSealer {
  let failing = false;
  let current = Promise.resolve();

  async function seal(): Promise<void> {
    try {
      await sealAudit(database);
      failing = false;
    } catch {
      if (!failing) warn('the audit trail cannot be sealed; it is tried again every second');
      failing = true;
    }
  }

  let busy = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    current = seal().finally(() => {
      busy = false;
    });
  };
  const timer = setInterval(tick, SEAL_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
      await seal();
    },
  };
}

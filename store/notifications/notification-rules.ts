import { NOTIFICATION_TYPES, ruleOf } from '../../domain/notifications/notification-types.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Writes the rules of this version into the table that the triggers read. Rules that it does not know stay: another version
 * may run beside this one.
 */
export async function writeNotificationRules(owner: Queryable): Promise<void> {
  const rules = NOTIFICATION_TYPES.flatMap((type) => {
    const { subject, on, merges = false } = ruleOf(type);
    return on.map((fact) =>
      'audit' in fact
        ? { source: 'audit', name: fact.audit, state: fact.state ?? '', type, subject, merges }
        : { source: 'payment', name: fact.payments, state: '', type, subject, merges },
    );
  });
  await owner.query(
    `insert into notification_rules (source, name, state, type, subject, merges)
     select source, name, state, type, subject, merges
     from jsonb_to_recordset($1) as rules (source text, name text, state text, type text, subject text, merges boolean)
     on conflict (source, name, state) do update
     set type = excluded.type, subject = excluded.subject, merges = excluded.merges
     where (notification_rules.type, notification_rules.subject, notification_rules.merges)
       is distinct from (excluded.type, excluded.subject, excluded.merges)`,
    [JSON.stringify(rules)],
  );
}

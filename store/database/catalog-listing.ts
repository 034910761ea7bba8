import type { Queryable } from './database.ts';

/**
 * Lists all that a schema of the database holds, one line or block each, in an order that depends on names alone: two
 * databases whose listings are equal have the same tables, columns, constraints, indexes, triggers, functions, rights
 * and comments. `pg_dump` must be as new as the server, and often is not at hand.
 */
export async function listCatalog(owner: Queryable): Promise<string> {
  const parts: string[] = [];
  for (const [title, statement] of Object.entries(STATEMENTS)) {
    const { rows } = await owner.query<{ line: string }>(statement);
    parts.push(`## ${title}`, ...rows.map(({ line }) => line), '');
  }
  return parts.join('\n');
}

const STATEMENTS: Readonly<Record<string, string>> = {
  schema: `
    select format('%s %s', nspname, nspacl) as line from pg_namespace where nspname = 'public'`,
  'tables, views and sequences': `
    select format('%s %s persistence=%s row_security=%s options=%s rights=%s comment=%s%s', relkind, relname, relpersistence,
      relrowsecurity, reloptions, (select array_agg(right_of::text order by right_of::text) from unnest(relacl) right_of),
      obj_description(pg_class.oid, 'pg_class'),
      case when relkind = 'v' then E'\\n' || pg_get_viewdef(pg_class.oid) end) as line
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'S', 'p', 'f')
    order by relkind::text collate "C", relname::text collate "C"`,
  columns: `
    select format('%s.%s %s %s not_null=%s identity=%s generated=%s default=%s collation=%s rights=%s comment=%s', relname,
      row_number() over (partition by relname order by attnum), attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, attgenerated, pg_get_expr(adbin, adrelid), attcollation::regcollation,
      (select array_agg(right_of::text order by right_of::text) from unnest(attacl) right_of),
      col_description(attrelid, attnum)) as line
    from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind in ('r', 'v', 'm', 'p', 'f')
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    order by relname::text collate "C", attnum`,
  constraints: `
    select format('%s %s %s validated=%s comment=%s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated,
      obj_description(oid, 'pg_constraint')) as line
    from pg_constraint where connamespace = 'public'::regnamespace
    order by conrelid::regclass::text collate "C", conname::text collate "C"`,
  indexes: `
    select format('%s valid=%s comment=%s', pg_get_indexdef(indexrelid), indisvalid, obj_description(indexrelid, 'pg_class')) as line
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
    order by pg_get_indexdef(indexrelid)::text collate "C"`,
  triggers: `
    select format('%s enabled=%s comment=%s', pg_get_triggerdef(pg_trigger.oid), tgenabled,
      obj_description(pg_trigger.oid, 'pg_trigger')) as line
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal
    order by relname::text collate "C", tgname::text collate "C"`,
  types: `
    select format('%s %s %s %s', typtype, typname, format_type(typbasetype, typtypmod),
      (select array_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = pg_type.oid)) as line
    from pg_type left join pg_class on pg_class.oid = typrelid
    where typnamespace = 'public'::regnamespace and typelem = 0 and (relkind is null or relkind = 'c')
    order by typname::text collate "C"`,
  functions: `
    select format(E'%s\\nrights=%s comment=%s', pg_get_functiondef(oid),
      (select array_agg(right_of::text order by right_of::text) from unnest(proacl) right_of),
      obj_description(oid, 'pg_proc')) as line
    from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    order by oid::regprocedure::text collate "C"`,
  extensions: `select format('%s %s', extname, extversion) as line from pg_extension order by extname`,
};

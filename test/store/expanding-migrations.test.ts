import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { objectionsTo } from './expanding-statements.ts';

const MIGRATIONS = join(import.meta.dirname, '../../store/schema');

/** The last file of 0.1.0, the first release: what comes after it is applied while the version before runs. */
const FIRST_RELEASE = '0018';

const later = readdirSync(MIGRATIONS).filter((name) => name.slice(0, 4) > FIRST_RELEASE);

describe('a migration leaves the version before working', () => {
  test.runIf(later.length > 0).each(later)('%s only adds', (name) => {
    expect(objectionsTo(readFileSync(join(MIGRATIONS, name), 'utf8'))).toEqual([]);
  });

  test.each([
    'alter table payments drop column note',
    'drop table payments',
    'alter table payments rename to instructions',
    'alter table payments rename column note to remark',
    'alter table payments alter column note type integer',
    'alter table payments alter column note set data type integer',
    'alter table payments alter column note set not null',
    'alter table payments add column note text not null',
    "alter table payments add note text not null, add column mark text default '-'",
    'alter table payments add constraint noted check (note is not null)',
    'create unique index payments_by_note on payments (note)',
    'delete from payments',
    'truncate payments',
    'revoke insert on payments from payrun_worker',
    "comment on table payments is 'a; b'; drop view open_payments;",
  ])('it does not %s', (sql) => {
    expect(objectionsTo(sql)).toHaveLength(1);
  });

  test.each([
    'create table notes (note_id uuid primary key, body text not null)',
    'create table notes (body text); alter table notes add column mark text not null',
    'alter table payments add column note text',
    "alter table payments add column note text not null default ''",
    'alter table payments add column noted boolean not null generated always as (note is not null) stored',
    'alter table payments alter column note drop not null',
    'alter table payments add constraint noted check (note is not null) not valid',
    'create function f() returns void language plpgsql as $$ begin delete from notes; drop table notes; end $$',
    "comment on table payments is 'drop table payments; rename'",
    '-- contracts: unused since 0.2.0\nalter table payments drop column note',
    'create table notes (body text); create unique index notes_once on notes (body)',
    'create trigger kept before update or delete or truncate on payments for each row execute function f()',
    '-- expands: a note has an id of its own\ncreate unique index notes_by_day on payments (day, payment_id)',
    'create index concurrently notes_by_day on notes (day)',
  ])('it may %s', (sql) => {
    expect(objectionsTo(sql)).toEqual([]);
  });

  test('an annotation is for the statement below it alone', () => {
    const sql = '-- contracts: unused since 0.2.0\nalter table a drop column b;\nalter table a drop column c;';
    expect(objectionsTo(sql).map(({ statement }) => statement)).toEqual(['alter table a drop column c']);
  });
});

import { EARLIER, KNOWN_UNDER_NAME, REVIEWED } from '../runs/review-facts.ts';
import { ACCOUNT_HASH, BENEFICIARY, NAME_HASH } from '../runs/reviewed-rows.ts';

/** So many names that share a key with one are looked at, and so many of those that were paid, or are in the file or the book, are compared. */
export const MAX_NAMES = { ofAKey: 1_000, compared: 200 } as const;

/** $1 run, $2 numbers of its rows, $3 account: their names, and the names and lines of the book that share a key with them. */
const NAMES = `asked as materialized (
    select row_number, ${NAME_HASH} as name, ${ACCOUNT_HASH} as account
    from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2)
  ), mine as materialized (
    select asked.*, key from asked join look_alike_keys keys on keys.account = $3 and keys.name_hash = asked.name
  ), keys as materialized (select distinct key from mine), named as materialized (
    select keys.key, other.name, other.nth from keys cross join lateral (
      select name_hash as name, row_number() over () as nth from look_alike_keys
      -- guard: paid-names-behind-others
      where account = $3 and key = keys.key limit ${MAX_NAMES.ofAKey + 1}) as other
  ), names as materialized (select distinct name from named)`;

/** Names that were paid, or approved to be paid, with the last payment of each. $4 the time. */
const PAID = `paid as materialized (
    select names.name, last.* from names cross join lateral (
      select (array_agg(payment_id order by is_paid desc, paid_at desc))[1] as payment_id, max(paid_at) filter (where is_paid) as paid_at,
        array_agg(distinct account_hash) as accounts
      from ${KNOWN_UNDER_NAME('names.name')} where ${EARLIER} having count(*) > 0) as last
  )`;

/** The first row of the file with each of the names, and each account. $5 whether as approved. */
const IN_THE_FILE = `in_file as materialized (
    select names.name, first.* from names cross join lateral (
      select distinct on (account_hash) payment_id, row_number as other_row, row_ref, account_hash as account
      from payments where account = $3 and name_hash = names.name and ${REVIEWED('$1', '$5')}
      order by account_hash, row_number) as first
  )`;

/** Lines of the book that were confirmed by the time. */
const IN_THE_BOOK = `in_book as materialized (
    select keys.key, line.* from keys cross join lateral (
      select beneficiary_account_id as line_id, beneficiary_key, name_hash as name, account_hash as account, row_number() over () as nth
      from beneficiary_accounts where beneficiary_accounts.account = $3 and look_alike_keys @> array[keys.key]
        and confirmed_at <= coalesce($4::timestamptz, 'infinity') and coalesce(ended_at > $4::timestamptz, ended_at is null)
      limit ${MAX_NAMES.ofAKey + 1}) as line
  )`;

/**
 * SQL: for each row the others that may look like it and have another account, those that were paid first, and last a line without any where
 * not all were looked at. A name that has the account of the row as well is none.
 */
export const MAY_LOOK_ALIKE = `with ${NAMES}, ${PAID}, ${IN_THE_FILE}, ${IN_THE_BOOK}, others as (
    select distinct mine.row_number, 1 as rank, paid.paid_at, 0 as other_row, paid.payment_id, null::uuid as line_id, null as row_ref, null as book_key
    from mine join named using (key) join paid on paid.name = named.name and paid.name <> mine.name
    where (mine.account = any(paid.accounts)) is not true
    union all
    select distinct mine.row_number, 2, null::timestamptz, 0, null::uuid, in_book.line_id, null, in_book.beneficiary_key
    from mine join in_book using (key)
    -- guard: names-of-the-book-compared
    where in_book.name <> mine.name and not exists (select from in_book same where same.name = in_book.name and same.account = mine.account)
    union all
    select distinct mine.row_number, 3, null::timestamptz, in_file.other_row, in_file.payment_id, null::uuid, in_file.row_ref, null
    from mine join named using (key) join in_file on in_file.name = named.name and in_file.name <> mine.name
    where in_file.other_row < mine.row_number and in_file.account is distinct from mine.account
  ), ordered as (
    select *, row_number() over (partition by row_number order by rank, paid_at desc nulls last, other_row, payment_id, line_id) as nth from others
  )
  select row_number as "rowNumber", rank, payment_id as "paymentId", line_id as "lineId", paid_at as "paidAt", row_ref as "rowRef",
    book_key as "bookKey"
  from ordered where nth <= ${MAX_NAMES.compared}
  union all
  select row_number, 4, null, null, null, null, null from (
    select row_number from ordered where nth > ${MAX_NAMES.compared}
    union select row_number from mine join named using (key) where nth > ${MAX_NAMES.ofAKey}
    union select row_number from mine join in_book using (key) where nth > ${MAX_NAMES.ofAKey}) as cut
  order by 1, 2`;

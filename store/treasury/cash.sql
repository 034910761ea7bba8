-- Records what the cash view of an account says now: `p_shortages` has the first day by currency. A shortage that is over, and
-- comes back, is notified again.
-- Called by: server.
create or replace function record_shortages(p_account text, p_shortages jsonb) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  update cash_shortages set over_at = clock_timestamp()
  where account = p_account and over_at is null and not p_shortages ? currency;
  for v in select key as currency, value::date as first_day from jsonb_each_text(p_shortages) order by key loop
    insert into cash_shortages as known (account, currency, first_day) values (p_account, v.currency, v.first_day)
    on conflict (account, currency) do update set first_day = excluded.first_day, found_at = clock_timestamp(), over_at = null
      where known.over_at is not null or excluded.first_day < known.first_day;
    if found then
      perform note('server', 'shortage_expected', null, null, jsonb_build_object('shortage', p_account || '/' || v.currency,
        'account', p_account, 'currency', v.currency, 'date', v.first_day));
    else
      -- A later day is no news, and is what an earlier one is compared with.
      update cash_shortages set first_day = v.first_day
      where account = p_account and currency = v.currency and first_day < v.first_day;
    end if;
  end loop;
end $$;

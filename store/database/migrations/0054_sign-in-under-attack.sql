-- Up Migration

-- What an attacker could still do around signing in and second factors.

-- Whether the user of a login has signed in at this browser. Its tries have a place of their own at the server; `p_browser` is a
-- secret of the browser, so this tells nobody else anything.
create function is_known_browser(p_login text, p_browser bytea) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from known_browsers join users using (user_id)
    where users.login = p_login and users.disabled_at is null and browser_hash = sha256(p_browser))
$$;

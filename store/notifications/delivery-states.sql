-- Written by `npm run docs` from domain/notifications/delivery-state.ts: change it there, not here.

-- It is to be sent, or sent again.
-- Called by: server and worker.
create or replace function delivery_is_open(p_state text) returns boolean language sql immutable
return p_state in ('queued', 'delivering', 'failing');

-- It is sent when it is due.
-- Called by: server and worker.
create or replace function delivery_is_scheduled(p_state text) returns boolean language sql immutable
return p_state in ('queued', 'failing');

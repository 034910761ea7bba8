-- What a proposal says of an order, a case or a virtual account, as one hash: who confirms it with a second factor confirms
-- exactly this. `manual_outcome_hash` is that of a row.
-- Called by: other functions.
create or replace function proposal_hash(p_of text, p_subject uuid, p_manual_outcome uuid, p_said text[]) returns text
language sql stable set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(jsonb_build_array('payrun manual outcome', p_of, p_subject, p_manual_outcome, p_said)::text, 'UTF8')), 'hex')
$$;

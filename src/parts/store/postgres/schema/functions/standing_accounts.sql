-- Which of the decided accounts still stand as they were when it was decided: at the version that
-- was loaded (null: not there), under the business's clock [subscriptions#the-time-of-a-command],
-- with an idempotency key that nobody has used. Locks them, in the order of their ids
-- [machines#writers], and looks only then: whoever had them before has committed by now.
create or replace function standing_accounts(p_changes jsonb) returns text[] language plpgsql as $$
begin
  perform 1 from accounts a
  where a.account_id in (select c ->> 'account_id' from jsonb_array_elements(p_changes -> 'accounts') c)
  order by a.account_id for update;

  return array(
    select c.account_id
    from jsonb_to_recordset(p_changes -> 'accounts') c (
      account_id text, business_id text, mode text, expected bigint, clock_ahead bigint,
      idempotency_key text)
    left join accounts a using (account_id)
    where a.version is not distinct from c.expected
      and c.clock_ahead = clock_ahead(c.business_id, c.mode)
      and (c.idempotency_key is null or not exists (
        select from adjustments d
        where (d.account_id, d.idempotency_key) = (c.account_id, c.idempotency_key))));
end $$;

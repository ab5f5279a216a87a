-- The ids of the accounts that are still what the operation decided on: each has the version and
-- the stamp that were loaded (null: it did not exist), the business's clock has not moved
-- [subscriptions#the-time-of-a-command], and nobody has used the idempotency key. It locks the
-- accounts in the order of their ids [machines#writers] and compares only then: a transaction that
-- it waited for has committed by then.
create or replace function standing_accounts(p_changes jsonb) returns text[] language plpgsql as $$
begin
  perform 1 from accounts a
  where a.account_id in (select c ->> 'account_id' from jsonb_array_elements(p_changes -> 'accounts') c)
  order by a.account_id for update;

  return array(
    select c.account_id
    from jsonb_to_recordset(p_changes -> 'accounts') c (
      account_id text, business_id text, mode text, expected bigint,
      expected_stamp bigint, clock_ahead bigint,
      idempotency_key text)
    left join accounts a using (account_id)
    where a.version is not distinct from c.expected
      and a.stamp is not distinct from coalesce(c.expected_stamp, a.stamp)
      and c.clock_ahead = clock_ahead(c.business_id, c.mode)
      and (c.idempotency_key is null or not exists (
        select from adjustments d
        where (d.account_id, d.idempotency_key) = (c.account_id, c.idempotency_key))));
end $$;

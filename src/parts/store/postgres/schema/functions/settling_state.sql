-- What settling does with an account that has words in `unsettled`: it is 'due', 'aside' (set
-- aside) or 'quiet' (settled within the last `p_quiet_ms`). One row, so that it can be inlined.
create or replace function settling_state(
  p_business_id text, p_mode text, p_customer_id text, p_entitlement_id text, p_quiet_ms integer
) returns table (state text) language sql stable rows 1 as $$
  select case
    when a.account_id is null then 'due'
    when a.set_aside is not null then 'aside'
    when a.settled_at <= now() - p_quiet_ms * interval '1 ms' or a.settled_at > now() then 'due'
    else 'quiet' end
  from (select) one
  left join lateral (
    select a.account_id, a.set_aside, a.settled_at from accounts a
    where (a.business_id, a.mode, a.entitlement_id, a.customer_id)
      = (p_business_id, p_mode, p_entitlement_id, p_customer_id) limit 1) a on true
$$;

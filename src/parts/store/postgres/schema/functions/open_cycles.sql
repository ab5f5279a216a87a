-- The cycles of an account that settling looks at: those with a row of usage that is not sealed.
create or replace function open_cycles(
  p_business_id text, p_mode text, p_customer_id text, p_entitlement_id text
) returns table (route_id text, meter_id text, cycle_at timestamptz) language sql stable as $$
  select distinct u.route_id, u.meter_id, u.cycle_at from usage u
  where (u.customer_id, u.entitlement_id) = (p_customer_id, p_entitlement_id) and not u.sealed
    and (u.business_id, u.mode) = (p_business_id, p_mode)
$$;

-- Keeps each version of a subscription's routes, in the way of keep_meter_version().
create or replace function keep_route_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and route_of(old) = route_of(new) then return null; end if;
  insert into route_versions as v (business_id, mode, customer_id, subscription_id, version, route)
  select new.business_id, new.mode, new.customer_id, new.subscription_id, c.routes_version,
    route_of(new)
  from customers c
  where (c.business_id, c.mode, c.customer_id) = (new.business_id, new.mode, new.customer_id)
  on conflict (business_id, mode, customer_id, subscription_id, version)
    do update set route = excluded.route;
  update route_versions v set replaced_at = clock_timestamp()
  from customers c
  where (c.business_id, c.mode, c.customer_id) = (new.business_id, new.mode, new.customer_id)
    and (v.business_id, v.mode, v.customer_id, v.subscription_id)
      = (new.business_id, new.mode, new.customer_id, new.subscription_id)
    and v.version < c.routes_version and v.replaced_at is null;
  return null;
end $$;

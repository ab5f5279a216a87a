create trigger remember_subscription_:release after insert on subscriptions
  for each row when (current_setting('sluice.release', true) = ':release'
    and new.activated_at is not null)
  execute function remember_routing('subscription', 'subscription_id');

create trigger remember_subscription_changed_:release after update on subscriptions
  for each row when (current_setting('sluice.release', true) = ':release'
    and (new.stretches, new.activated_at, new.ended, new.pauses)
      is distinct from (old.stretches, old.activated_at, old.ended, old.pauses))
  execute function remember_routing('subscription', 'subscription_id');

create constraint trigger keep_version_:release after insert or update on subscriptions
  deferrable initially deferred
  for each row when (current_setting('sluice.release', true) = ':release')
  execute function keep_route_version();

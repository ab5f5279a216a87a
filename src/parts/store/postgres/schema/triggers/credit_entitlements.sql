create trigger remember_links_:release after insert on credit_entitlements
  for each row when (current_setting('sluice.release', true) = ':release'
    and new.stretches <> '[]')
  execute function remember_routing('links', 'credit_entitlement_id');

create trigger remember_links_changed_:release after update on credit_entitlements
  for each row when (current_setting('sluice.release', true) = ':release'
    and (new.stretches, new.deleted_at) is distinct from (old.stretches, old.deleted_at))
  execute function remember_routing('links', 'credit_entitlement_id');

create constraint trigger keep_version_:release
  after insert or update of stretches, deleted_at on credit_entitlements
  deferrable initially deferred
  for each row when (current_setting('sluice.release', true) = ':release')
  execute function keep_link_version();

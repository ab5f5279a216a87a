create trigger remember_meter_:release after insert on meters
  for each row when (current_setting('sluice.release', true) = ':release')
  execute function remember_routing('meter', 'meter_id');

create constraint trigger keep_version_:release after insert or update of archived on meters
  deferrable initially deferred
  for each row when (current_setting('sluice.release', true) = ':release')
  execute function keep_meter_version();

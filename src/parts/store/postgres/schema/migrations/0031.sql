-- Each second it is asked what is due, in all businesses: by real time through indexes on the
-- moments, and by the clocks of those businesses that run ahead of it. None of it may cost more
-- the more accounts, subscriptions or payments there are of which nothing is due.
create index business_modes_ahead on business_modes (business_id, mode) where clock_ahead_us > 0;
create index subscriptions_ending_of_business
  on subscriptions (business_id, mode, least(next_billing_date, expires_at))
  where status = 'active';
create index processor_news_next on processor_news (due_at);
create index credit_entitlements_linked
  on credit_entitlements (business_id, mode, credit_entitlement_id) where stretches <> '[]';
create index accounts_own_cycles on accounts (business_id, mode, entitlement_id, own_cycle_at);

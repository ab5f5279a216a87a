-- 0026: What the console asks of long lists.

-- New pages are summed up as they fill, rather than by the next vacuum.
alter index ledger_entries_by_time set (autosummarize = on);

-- The few of a status or a product are found without a look at all the others.
create index subscriptions_of_status
  on subscriptions (business_id, mode, status, created_at desc, subscription_id desc);
create index payments_of_status
  on payments (business_id, mode, status, created_at desc, payment_id desc);
create index payments_of_product on payments using gin (product_ids);

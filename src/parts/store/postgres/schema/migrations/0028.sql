-- 0028: The few payments of a currency are found without a look at all the others.

create index payments_of_currency
  on payments (business_id, mode, currency, created_at desc, payment_id desc);

-- 0022: Disputes, and what payments say of them.

-- dispute_status: of the dispute that was opened last; null: there is none.
alter table payments add column dispute_status text;
create index payments_by_dispute on payments (business_id, mode, dispute_status)
  where dispute_status is not null;

-- answer_by: unless the business has answered by then, it expires; in the business's time.
create table disputes (
  business_id text not null,
  mode text not null,
  dispute_id text not null,
  payment_id text not null,
  brand_id text not null,
  customer_id text not null,
  status text not null,
  stage text not null,
  currency text not null,
  amount bigint not null,
  resolved_rapidly boolean not null,
  reason text,
  remarks text,
  answer_by timestamptz not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (dispute_id)
);
create index disputes_in_order on disputes (business_id, mode, created_at desc, dispute_id desc);
create index disputes_of_payment on disputes (payment_id);
create index disputes_of_customer
  on disputes (business_id, mode, customer_id, created_at desc, dispute_id desc);
create index disputes_open on disputes (business_id, mode, answer_by)
  where status = 'dispute_opened';

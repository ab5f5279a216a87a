-- 0017: Invoices: what stands on them, their numbers, and the files that were handed out.

-- paper: all that stands on it, as the rules have it. number: from 1, without gaps.
create table invoices (
  business_id text not null,
  mode text not null,
  kind text not null,
  number bigint not null,
  subject_id text not null,
  issued_at timestamptz not null,
  paper jsonb not null,
  primary key (business_id, mode, kind, number)
);
create unique index invoices_of_subject on invoices (kind, subject_id);

-- The number given last.
create table invoice_counters (
  business_id text not null,
  mode text not null,
  kind text not null,
  last_number bigint not null,
  primary key (business_id, mode, kind)
);

-- Made when it is asked for first, and the same ever after.
create table invoice_files (
  business_id text not null,
  mode text not null,
  kind text not null,
  subject_id text not null,
  file bytea not null,
  primary key (kind, subject_id)
);

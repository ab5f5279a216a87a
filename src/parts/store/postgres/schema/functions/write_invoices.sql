-- The one place that writes invoices, and gives them their numbers. The counter of a business, mode
-- and kind stays locked until the change is committed: so the next number waits for it, and a
-- change that comes to nothing leaves no gap. Answers false where a subject has its invoice
-- already.
create or replace function write_invoices(p_rows jsonb) returns boolean language plpgsql as $$
begin
  insert into invoice_counters (business_id, mode, kind, last_number)
  select distinct n.business_id, n.mode, n.kind, 0
  from jsonb_populate_recordset(null::invoices, p_rows) n
  order by n.business_id, n.mode, n.kind
  on conflict (business_id, mode, kind) do nothing;

  perform 1 from invoice_counters c
  where (c.business_id, c.mode, c.kind) in (
    select n.business_id, n.mode, n.kind
    from jsonb_populate_recordset(null::invoices, p_rows) n)
  order by c.business_id, c.mode, c.kind for no key update;

  if exists (
    select from jsonb_populate_recordset(null::invoices, p_rows) n
    join invoices i using (kind, subject_id)
  ) then return false; end if;

  insert into invoices (business_id, mode, kind, number, subject_id, issued_at, paper)
  select n.business_id, n.mode, n.kind, c.last_number + row_number() over (
      partition by n.business_id, n.mode, n.kind order by n.subject_id),
    n.subject_id, n.issued_at, n.paper
  from jsonb_populate_recordset(null::invoices, p_rows) n
  join invoice_counters c using (business_id, mode, kind);

  update invoice_counters c set last_number = c.last_number + given.count
  from (
    select n.business_id, n.mode, n.kind, count(*) as count
    from jsonb_populate_recordset(null::invoices, p_rows) n
    group by n.business_id, n.mode, n.kind
  ) given
  where (c.business_id, c.mode, c.kind) = (given.business_id, given.mode, given.kind);
  return true;
end $$;

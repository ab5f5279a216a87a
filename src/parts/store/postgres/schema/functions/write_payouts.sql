-- The one place that writes payouts, behind standing_rows(). What is paid out is never changed.
create or replace function write_payouts(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into payouts (business_id, mode, payout_id, status, name, currency, amount, fee, refunds,
    chargebacks, from_entry, to_entry, remarks, version, created_at, updated_at)
  select n.business_id, n.mode, n.payout_id, n.status, n.name, n.currency, n.amount, n.fee,
    n.refunds, n.chargebacks, n.from_entry, n.to_entry, n.remarks, n.version, n.created_at,
    n.updated_at
  from jsonb_populate_recordset(null::payouts, p_rows) n
  order by n.payout_id
  on conflict (payout_id) do update set
    status = excluded.status, remarks = excluded.remarks,
    version = drawn_version(excluded.version), updated_at = excluded.updated_at;
end $$;

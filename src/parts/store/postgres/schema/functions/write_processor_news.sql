-- The one place that writes what processors are going to say, behind standing_rows(): news comes,
-- and ends when it was heard.
create or replace function write_processor_news(p_rows jsonb) returns void language plpgsql as $$
begin
  delete from processor_news
  where news_id in (
    select n.news_id from jsonb_to_recordset(p_rows) n (news_id text, heard boolean) where n.heard);

  insert into processor_news (business_id, mode, news_id, customer_id, payment_id, due_at, outcome)
  select n.business_id, n.mode, n.news_id, n.customer_id, n.payment_id, n.due_at,
    nullif(n.outcome, 'null')
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, news_id text, customer_id text,
    payment_id text, due_at timestamptz, outcome jsonb, heard boolean)
  where not n.heard
  order by n.news_id;
end $$;

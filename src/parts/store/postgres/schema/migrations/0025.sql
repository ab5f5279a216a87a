-- 0025: What the console sums up and finds.

-- Entries are written in the order of time, or nearly: a summary of their pages finds the newest
-- ones, and costs who writes them next to nothing.
create index ledger_entries_by_time on ledger_entries using brin (created_at);

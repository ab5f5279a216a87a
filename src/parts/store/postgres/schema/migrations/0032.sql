-- Settling takes turns between businesses where more is due than gets done: it looks for the oldest
-- words of each.
create index unsettled_of_business on unsettled (business_id, mode, id);

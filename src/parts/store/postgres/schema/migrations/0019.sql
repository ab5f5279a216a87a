-- 0019: Uses of discounts that payments on their way hold.

-- held: how many uses wait for what becomes of their payment. They count against the limit.
alter table discounts add column held bigint not null default 0;

-- held: whether the use waits for what becomes of its payment, and does not count yet.
alter table discount_uses add column held boolean not null default false;

-- 0027: A refund that was asked for with a key says what was asked for, so that the key brings the
-- same refund again, and never another.

alter table refunds add column asked text;

-- A number that is drawn at each write of an account. Versions alone are given again by a store
-- that lost its last commits, and a change that was decided on a lost one would pass for this one.
alter table accounts add column stamp bigint not null default 0;

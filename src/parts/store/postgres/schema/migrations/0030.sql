-- A number that is drawn whenever a customer's routes_version moves, which counts, because two bytes
-- of it stand for all of it. A store that lost its last commits gives counts again, and what was
-- measured under lost routes would pass for these.
alter table customers add column routes_stamp bigint not null default 0;

-- The version that a row gets where `p_least` would do. The next one of a count would be given
-- twice: once by a server whose last commits were lost, and again by the copy that was promoted in
-- its place; what was decided on the lost one would then pass for the other. [machines#writers]
-- Some sixteen million changes of a row pass before the sum leaves what JavaScript counts exactly.
create or replace function drawn_version(p_least bigint) returns bigint language sql volatile as $$
  select p_least + floor(random() * 2 ^ 30)::bigint
$$;

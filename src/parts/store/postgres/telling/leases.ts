import type { Leases } from '../../leases.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function leases(db: Db): Leases {
  return { take, release }

  async function take(name: string, holder: string, ms: number): Promise<boolean> {
    const rows = await db.query(sql`
      insert into leases as lease (name, holder, held_until)
      values (${name}, ${holder}, now() + ${ms}::integer * interval '1 ms')
      on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
        where lease.holder = excluded.holder or lease.held_until < now()
          -- Taken while the clock was ahead: nobody is meant to wait until then.
          or lease.held_until > excluded.held_until + interval '1 minute'
      returning 1`)
    return rows.length > 0
  }

  async function release(holder: string): Promise<void> {
    await db.query(sql`delete from leases where holder = ${holder}`)
  }
}

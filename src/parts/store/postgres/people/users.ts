import type { User, Users } from '../../users.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { UserRow } from './user-rows.ts'
import { userColumns, userOf } from './user-rows.ts'

export function users(db: Db): Users {
  return { get, findByEmail, findBySetup, list }

  function get(userId: string): Promise<User | null> {
    return one(sql`select ${userColumns} from users u where user_id = ${userId}`)
  }

  function findByEmail(email: string): Promise<User | null> {
    return one(sql`
      select ${userColumns} from users u
      where lower(email) = lower(${email}) and removed_at is null`)
  }

  function findBySetup(hash: Uint8Array): Promise<User | null> {
    return one(sql`
      select ${userColumns} from users u
      where setup_hash = ${Buffer.from(hash)} and removed_at is null`)
  }

  async function list(): Promise<readonly User[]> {
    const rows = await db.query<UserRow>(sql`
      select ${userColumns} from users u
      where removed_at is null
      order by created_at desc, user_id desc`)
    return rows.map(userOf)
  }

  async function one(statement: Statement): Promise<User | null> {
    const [row] = await db.query<UserRow>(statement)
    return row === undefined ? null : userOf(row)
  }
}

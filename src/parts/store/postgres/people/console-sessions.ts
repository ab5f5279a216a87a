import type { Duration, Instant } from '../../../../std/instant.ts'
import type { ConsoleSession, ConsoleSessions, FoundLogIn } from '../../console-sessions.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { UserRow } from './user-rows.ts'
import { userColumns, userOf } from './user-rows.ts'

export function consoleSessions(db: Db): ConsoleSessions {
  return { begin, find, saw, list, end, endAllBut }

  async function begin(
    session: ConsoleSession,
    of: Parameters<ConsoleSessions['begin']>[1],
  ): Promise<boolean> {
    const { userId } = session
    // The user's row is held until the session is there: one who is removed meanwhile ends it.
    const rows = await db.query(sql`
      with standing as (
        select user_id from users
        where user_id = ${userId} and version = ${of.userVersion} and removed_at is null
        for share
      ), forgotten as (
        delete from console_sessions s
        where s.user_id = ${userId} and (s.ends_at < ${timestamptz(of.forgottenBefore)}
          or s.hash in (
            select hash from console_sessions
            where user_id = ${userId}
            order by created_at desc offset ${of.most - 1}))
      )
      insert into console_sessions
        (hash, session_id, user_id, browser, created_at, seen_at, ends_at)
      select ${Buffer.from(of.hash)}, ${session.sessionId}, user_id, ${session.browser},
        ${timestamptz(session.createdAt)}, ${timestamptz(session.seenAt)},
        ${timestamptz(session.endsAt)}
      from standing
      returning 1`)
    return rows.length === 1
  }

  async function find(hash: Uint8Array): Promise<FoundLogIn | null> {
    const [row] = await db.query<FoundSessionRow>(sql`
      select ${sessionColumns}, ${userColumns}, b.name as business_name, b.rate_tier,
        (select clock_ahead_us from business_modes m
          where m.business_id = u.business_id and m.mode = 'test') as test_ahead_us,
        (select clock_ahead_us from business_modes m
          where m.business_id = u.business_id and m.mode = 'live') as live_ahead_us
      from console_sessions s
      join users u using (user_id)
      join businesses b using (business_id)
      where s.hash = ${Buffer.from(hash)} and u.removed_at is null`)
    return row === undefined ? null : foundSessionOf(row)
  }

  async function saw(hash: Uint8Array, at: Instant): Promise<void> {
    await db.query(sql`
      update console_sessions set seen_at = greatest(seen_at, ${timestamptz(at)})
      where hash = ${Buffer.from(hash)}`)
  }

  async function list(userId: string): Promise<readonly ConsoleSession[]> {
    const rows = await db.query<SessionRow>(sql`
      select ${sessionColumns}, user_id from console_sessions s
      where user_id = ${userId}
      order by created_at desc, session_id desc`)
    return rows.map(sessionOf)
  }

  async function end(userId: string, sessionId: string): Promise<boolean> {
    const rows = await db.query(sql`
      delete from console_sessions
      where user_id = ${userId} and session_id = ${sessionId}
      returning 1`)
    return rows.length > 0
  }

  async function endAllBut(userId: string, sessionId: string | null): Promise<void> {
    await db.query(sql`
      delete from console_sessions
      where user_id = ${userId} and session_id is distinct from ${sessionId}`)
  }
}

const sessionColumns = sql`session_id, browser, s.created_at, seen_at, ends_at`

interface SessionRow {
  readonly session_id: string
  readonly user_id: string
  readonly browser: string
  readonly created_at: Instant
  readonly seen_at: Instant
  readonly ends_at: Instant
}

interface FoundSessionRow extends SessionRow, Omit<UserRow, 'created_at'> {
  readonly business_name: string
  readonly rate_tier: string
  readonly test_ahead_us: Duration
  readonly live_ahead_us: Duration
}

const sessionOf = (row: SessionRow): ConsoleSession => ({
  sessionId: row.session_id,
  userId: row.user_id,
  browser: row.browser,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  endsAt: row.ends_at,
})

const foundSessionOf = (row: FoundSessionRow): FoundLogIn => ({
  session: sessionOf(row),
  user: userOf(row),
  businessName: row.business_name,
  rateTier: row.rate_tier,
  clockAheadUs: { test: row.test_ahead_us, live: row.live_ahead_us },
})

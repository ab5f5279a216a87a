import type { Duration, Instant } from '../std/instant.ts'
import { after, formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { text } from './schemas.ts'

// What the console and its server tell each other about people. It is no part of the API's
// description: one release serves both sides.

/** More than any password has that is taken: a longer one is refused by the rule, not the shape. */
const wordMax = 1_000

export const logInRequest = schema<{ readonly email: string; readonly password: string }>({
  type: 'object',
  required: ['email', 'password'],
  properties: { email: text(1, wordMax), password: text(1, wordMax) },
})

export const setupQuestion = schema<{ readonly word: string }>({
  type: 'object',
  required: ['word'],
  properties: { word: text(1, wordMax) },
})

export const setupRequest = schema<{ readonly word: string; readonly password: string }>({
  type: 'object',
  required: ['word', 'password'],
  properties: { word: text(1, wordMax), password: text(1, wordMax) },
})

export const passwordRequest = schema<{ readonly current: string; readonly next: string }>({
  type: 'object',
  required: ['current', 'next'],
  properties: { current: text(1, wordMax), next: text(1, wordMax) },
})

interface ShownUser {
  readonly userId: string
  readonly businessId: string
  readonly email: string
  readonly name: string | null
  readonly role: 'owner' | 'viewer'
}

interface ShownSession {
  readonly sessionId: string
  readonly browser: string
  readonly createdAt: Instant
  readonly seenAt: Instant
  readonly endsAt: Instant
}

/** Whose link it is that chooses a password. */
export const setupView = ({ email, name }: ShownUser) => ({ email, name })

/** Who is logged in, and on what. */
export const meView = (
  found: {
    readonly user: ShownUser
    readonly session: ShownSession
    readonly businessName: string
    readonly rateTier: string
    readonly clockAheadUs: { readonly test: Duration; readonly live: Duration }
  },
  at: Instant,
) => ({
  user_id: found.user.userId,
  email: found.user.email,
  name: found.user.name,
  role: found.user.role,
  business_id: found.user.businessId,
  business_name: found.businessName,
  rate_tier: found.rateTier,
  now: {
    test: formatInstant(after(at, found.clockAheadUs.test)),
    live: formatInstant(after(at, found.clockAheadUs.live)),
  },
  clock_ahead_seconds: Math.round(found.clockAheadUs.test / 1_000_000),
  session_id: found.session.sessionId,
})

export const consoleSessionView = (session: ShownSession, isThis: boolean) => ({
  session_id: session.sessionId,
  browser: session.browser,
  created_at: formatInstant(session.createdAt),
  seen_at: formatInstant(session.seenAt),
  ends_at: formatInstant(session.endsAt),
  this_one: isThis,
})

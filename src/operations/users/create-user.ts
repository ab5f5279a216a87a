import { Fault, orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { User, UserRole } from '../../parts/store/users.ts'
import type { Clock } from '../../runtime/clock.ts'
import { hashOfSecretWord, newSecretWord } from '../../runtime/secret-words.ts'
import type { NewId } from '../../std/id.ts'
import { after } from '../../std/instant.ts'
import { userLimits } from './user-limits.ts'

export interface CreateUserNeeds {
  readonly businesses: Pick<Businesses, 'find'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
  readonly newId: NewId
}

export interface WantedUser {
  readonly businessId: string
  readonly email: string
  readonly name: string | null
  readonly role: UserRole
}

/** A user with the word of the link that chooses a password, which is stored nowhere. */
export interface CreatedUser {
  readonly user: User
  readonly setupWord: string
}

/**
 * Makes a person of the console.
 * @throws Fault NOT_FOUND when there is no such business, CONFLICT when somebody has the address,
 * INVALID_REQUEST_BODY when it is none. [security#the-console]
 */
export async function createUser(needs: CreateUserNeeds, wanted: WantedUser): Promise<CreatedUser> {
  const { businessId } = wanted
  refuseNames(wanted)
  orNotFound(await needs.businesses.find(businessId), 'business', businessId)
  const setupWord = newSecretWord()
  const createdAt = needs.clock.now()
  const user: User = {
    ...wanted,
    userId: needs.newId('usr'),
    password: null,
    setupHash: hashOfSecretWord(setupWord),
    setupEndsAt: after(createdAt, userLimits.setup),
    version: 1,
    createdAt,
    removedAt: null,
  }
  const scope = { businessId, mode: 'test' as const }
  const made = { noun: 'user', expected: null, row: user } as const
  const outcome = await needs.changes.commit(rowAlone(scope, made))
  if (outcome === 'committed') return { user, setupWord }
  throw new Fault(
    'CONFLICT',
    `Somebody with the e-mail address ${wanted.email} is there already: see \`sluice users list\`.`,
  )
}

function refuseNames({ email, name }: WantedUser): void {
  const { emailCharactersMax, nameCharactersMax } = userLimits
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > emailCharactersMax) {
    throw new Fault('INVALID_REQUEST_BODY', `'${email.slice(0, 100)}' is no e-mail address.`)
  }
  if (name !== null && (name.trim() === '' || name.length > nameCharactersMax)) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `A name has 1 to ${nameCharactersMax} characters; leave it out where there is none.`,
    )
  }
}

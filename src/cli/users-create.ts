import { createUser } from '../operations/users/create-user.ts'
import type { UserRole } from '../parts/store/users.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'
import { consoleBaseOf, setupUrlOf } from './setup-url.ts'

export const usersCreate: Command = {
  name: 'users create',
  usage: '--business ID --email ADDRESS [--name NAME] [--role owner|viewer]',
  summary: 'lets a person into the console, by a link that works once and for a day',
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
  },
  positionals: [],

  async run(input) {
    const businessId = input.required('business')
    const wanted = {
      businessId,
      email: input.required('email'),
      name: input.text('name'),
      role: roleOf(input.text('role') ?? 'owner'),
    }
    const { user, setupWord } = await withStore(input, (needs) => createUser(needs, wanted))
    const url = setupUrlOf(consoleBaseOf(input.config()), setupWord)
    input.answer({ user_id: user.userId, setup_url: url }, [
      url,
      `This link is for ${user.email} (${user.userId}, ${user.role}): it works once, for a day.`,
    ])
    return 0
  },
}

function roleOf(text: string): UserRole {
  if (text === 'owner' || text === 'viewer') return text
  throw new UsageError(`--role must be owner or viewer, not '${text}'.`)
}

import type { User } from '../parts/store/users.ts'
import { formatInstant } from '../std/instant.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const usersList: Command = {
  name: 'users list',
  usage: '',
  summary: 'lists who may use the console, of all businesses',
  options: {},
  positionals: [],

  async run(input) {
    const users = await withStore(input, (needs) => needs.users.list())
    input.answer({ items: users.map(documentOf) }, users.map(lineOf))
    return 0
  },
}

const documentOf = (user: User) => ({
  user_id: user.userId,
  business_id: user.businessId,
  email: user.email,
  name: user.name,
  role: user.role,
  has_password: user.password !== null,
  created_at: formatInstant(user.createdAt),
})

function lineOf({ userId, businessId, email, name, role, password }: User): string {
  const called = name === null ? email : `${email} (${name})`
  const waits = password === null ? '  the link has not been used' : ''
  return `${userId}  ${businessId}  ${role.padEnd(6)}  ${called}${waits}`
}

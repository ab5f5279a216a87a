import { removeUser } from '../operations/users/remove-user.ts'
import { formatInstant } from '../std/instant.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const usersRemove: Command = {
  name: 'users remove',
  usage: 'USER_ID',
  summary: 'takes a person out of the console for good, and ends their sessions at once',
  options: {},
  positionals: ['USER_ID'],

  async run(input) {
    const userId = input.positional('USER_ID')
    const at = await withStore(input, (needs) => removeUser(needs, userId))
    const since = formatInstant(at)
    input.answer({ user_id: userId, removed_at: since }, [`${userId} is removed since ${since}.`])
    return 0
  },
}

import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import type { AccountChanging } from '../accounts/change-accounts.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import type { CommandDesk } from './due-first.ts'
import { dueFirst } from './due-first.ts'

/**
 * A command on accounts: what is due comes first; it happens when it is decided.
 * [subscriptions#the-time-of-a-command]
 */
export const commandAccounts = <T>(
  desk: CommandDesk,
  command: Omit<AccountChanging<T>, 'at'>,
): Promise<T> =>
  dueFirst(desk, command.operation, () => tryChange(desk, { ...command, at: commandTimeOf }))

import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import type { AccountChanging } from '../accounts/change-accounts.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import type { DueFirstNeeds } from './due-first.ts'
import { dueFirst } from './due-first.ts'

/**
 * Runs a command on accounts: what is due before it is applied first, and it happens at the time of
 * its decision. [subscriptions#the-time-of-a-command]
 */
export const commandAccounts = <T>(
  desk: DueFirstNeeds,
  command: Omit<AccountChanging<T>, 'at'>,
): Promise<T> =>
  dueFirst(desk, command.operation, () => tryChange(desk, { ...command, at: commandTimeOf }))

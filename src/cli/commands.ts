import type { Command } from './command.ts'

/** By the words that call it. Each is loaded when it is called: none waits for what others need. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

/** All commands, in the order of the help. */
export const commands: Commands = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  'business create': async () => (await import('./business-create.ts')).businessCreate,
  'business limit': async () => (await import('./business-limit.ts')).businessLimit,
  'keys create': async () => (await import('./keys-create.ts')).keysCreate,
  'keys list': async () => (await import('./keys-list.ts')).keysList,
  'keys revoke': async () => (await import('./keys-revoke.ts')).keysRevoke,
  'users create': async () => (await import('./users-create.ts')).usersCreate,
  'users list': async () => (await import('./users-list.ts')).usersList,
  'users remove': async () => (await import('./users-remove.ts')).usersRemove,
  'clock advance': async () => (await import('./clock-advance.ts')).clockAdvanceCommand,
  'taxes import': async () => (await import('./taxes-import.ts')).taxesImport,
  'fees import': async () => (await import('./fees-import.ts')).feesImport,
  'checkout pay': async () => (await import('./checkout-pay.ts')).checkoutPayCommand,
  'payments mark': async () => (await import('./payments-mark.ts')).paymentsMarkCommand,
  'refunds mark': async () => (await import('./refunds-mark.ts')).refundsMarkCommand,
  'disputes open': async () => (await import('./disputes-open.ts')).disputesOpenCommand,
  'disputes move': async () => (await import('./disputes-move.ts')).disputesMoveCommand,
  'payouts create': async () => (await import('./payouts-create.ts')).payoutsCreateCommand,
  'payouts mark': async () => (await import('./payouts-mark.ts')).payoutsMarkCommand,
  verify: async () => (await import('./verify.ts')).verify,
  explain: async () => (await import('./explain.ts')).explain,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  sidecar: async () => (await import('./sidecar.ts')).sidecarCommand,
  listen: async () => (await import('./listen.ts')).listen,
  api: async () => (await import('./api.ts')).api,
  completion: async () => (await import('./completion.ts')).completion(() => loaded(commands)),
  demo: async () => (await import('./demo.ts')).demo,
}

/** The commands themselves, all of them loaded. */
export const loaded = (some: Commands): Promise<readonly Command[]> =>
  Promise.all(Object.values(some).map((load) => load()))

import { api } from './api.ts'
import { backup } from './backup.ts'
import { businessCreate } from './business-create.ts'
import { businessLimit } from './business-limit.ts'
import { checkoutPayCommand } from './checkout-pay.ts'
import { clockAdvanceCommand } from './clock-advance.ts'
import type { Command } from './command.ts'
import { completion } from './completion.ts'
import { demo } from './demo.ts'
import { explain } from './explain.ts'
import { exportCommand } from './export.ts'
import { feesImport } from './fees-import.ts'
import { importCommand } from './import.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { keysRevoke } from './keys-revoke.ts'
import { listen } from './listen.ts'
import { migrateCommand } from './migrate.ts'
import { paymentsMarkCommand } from './payments-mark.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { sidecarCommand } from './sidecar.ts'
import { taxesImport } from './taxes-import.ts'
import { verify } from './verify.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand,
  migrateCommand,
  businessCreate,
  businessLimit,
  keysCreate,
  keysList,
  keysRevoke,
  clockAdvanceCommand,
  taxesImport,
  feesImport,
  checkoutPayCommand,
  paymentsMarkCommand,
  verify,
  explain,
  backup,
  restoreCommand,
  exportCommand,
  importCommand,
  sidecarCommand,
  listen,
  api,
  completion(() => commands),
  demo,
]

import type { ParseArgsConfig } from 'node:util'
import type { Store, StoreNeeds } from '../compose/store.ts'
import type { Config } from '../config.ts'
import type { SidecarConfig } from '../config-sidecar.ts'
import { Refusal } from '../faults.ts'
import type { Clock } from '../runtime/clock.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import { openLogger } from '../runtime/logger.ts'
import type { NewId } from '../std/id.ts'

/**
 * The command was used wrongly: the process exits with 2, and the message says what would be right.
 */
export class UsageError extends Refusal {
  override readonly name = 'UsageError'
}

/** One command of `sluice`. Its file is named after it, and `commands.ts` lists it. */
export interface Command {
  /** The words that call it, for example `keys create`. */
  readonly name: string
  /** What follows the name, as the help shows it. */
  readonly usage: string
  /** What it does, in one line of the help. */
  readonly summary: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** Arguments without an option's name, all of them required. */
  readonly positionals: readonly string[]
  /** What an argument or an option may be, by its name, where `usage` does not list it. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /**
   * Answers the exit status; undefined means 0. An error that it throws becomes a sentence on
   * stderr.
   */
  run(input: Input): Promise<number | undefined>
}

export interface Output {
  readonly write: (text: string | Uint8Array) => void
  /** Whether a person reads it. */
  readonly isTerminal: boolean
}

/** What a command is given. */
export interface Input {
  /** Reads the settings of the environment. */
  readonly config: () => Config
  /** Those of the sidecar, which has no others. */
  readonly sidecarConfig: () => SidecarConfig
  /** An option's text, or null when it was not given. */
  text(name: string): string | null
  /** Like `text`, but throws a UsageError when the option was not given. */
  required(name: string): string
  /** Whether a flag was given; `json` is one of every command. */
  flag(name: string): boolean
  positional(name: string): string
  /** Where results go that are more than one document. */
  readonly out: Output
  /** The command's result: one JSON document with `--json`, else the lines. */
  answer(document: unknown, lines: readonly string[]): void
}

/** A store for one command, with the clock and the identifiers that operations need. */
export interface CommandNeeds extends Store {
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
}

/** Runs `work` on the store that the settings name, whether or not a server is running on it. */
export async function withStore<T>(
  input: Input,
  work: (needs: CommandNeeds) => Promise<T>,
  { applies = false }: { readonly applies?: boolean } = {},
): Promise<T> {
  const config = input.config()
  const level = config.logLevel === 'info' ? 'warn' : config.logLevel
  const logger = openLogger({ level, part: 'command' })
  const options: StoreNeeds = { config, logger, life: lifecycle(logger) }
  try {
    // Not loaded for commands that need no store.
    const { openCommandStore } = await import('../compose/store.ts')
    const store = await openCommandStore(options, applies)
    return await work({ ...store, clock: systemClock(), newId: randomIds(), logger })
  } finally {
    await options.life.stop(10_000)
  }
}

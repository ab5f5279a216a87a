import { parseArgs } from 'node:util'
import type { Environment } from '../config.ts'
import { readConfig, readSidecarConfig } from '../config.ts'
import { Refusal } from '../faults.ts'
import type { Command, Input, Output } from './command.ts'
import { UsageError } from './command.ts'
import type { Commands } from './commands.ts'
import { loaded } from './commands.ts'

/** Where a command writes, results to `out`, everything else to `error`; and its settings. */
export interface Streams {
  readonly out: Output['write']
  readonly error: (text: string) => void
  /** Whether `out` is a terminal. */
  readonly isTerminal: boolean
  /** Absent: the settings of this process. */
  readonly environment?: Environment
}

/**
 * Runs the one of `commands` that `words` name. Answers the status: 0, 1 when it failed, 2 for wrong
 * usage.
 */
export async function runCommand(
  words: readonly string[],
  commands: Commands,
  streams: Streams,
): Promise<number> {
  try {
    const help = wantsHelp(words)
    const load = find(words, commands)
    if (load === null) {
      if (!help) throw new UsageError(await unknown(words, commands))
      streams.out(overview(await loaded(commands)))
      return 0
    }
    const command = await load()
    if (help) {
      streams.out(manual(command))
      return 0
    }
    return (await command.run(read(command, words, streams))) ?? 0
  } catch (error) {
    streams.error(`${sentenceOf(error)}\n`)
    return error instanceof Refusal ? 2 : 1
  }
}

const wantsHelp = (words: readonly string[]): boolean =>
  words[0] === 'help' || words.includes('--help') || words.includes('-h')

/**
 * Finds the command whose words the rest begins with, the longest one; a leading `help` is skipped.
 */
function find(words: readonly string[], commands: Commands): Commands[string] | null {
  const named = words.filter((word, index) => !(index === 0 && word === 'help'))
  const called = [named.slice(0, 2).join(' '), named[0] ?? '']
  const name = called.find((words) => Object.hasOwn(commands, words))
  return name === undefined ? null : (commands[name] ?? null)
}

async function unknown(words: readonly string[], commands: Commands): Promise<string> {
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 2)
  if (named.length === 0) return `Say what to do.\n\n${overview(await loaded(commands))}`.trimEnd()
  return `There is no command '${named.join(' ')}': \`sluice help\` lists all of them.`
}

function read(command: Command, words: readonly string[], streams: Streams): Input {
  const rest = words.slice(command.name.split(' ').length)
  const { values, positionals } = parsed(command, rest)
  if (positionals.length !== command.positionals.length) {
    throw new UsageError(`Usage: sluice ${command.name} ${command.usage}`)
  }
  const text = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  return {
    config: () => readConfig(streams.environment),
    sidecarConfig: () => readSidecarConfig(streams.environment),
    text,
    required: (name) => {
      const value = text(name)
      if (value !== null && value !== '') return value
      throw new UsageError(`--${name} is missing. Usage: sluice ${command.name} ${command.usage}`)
    },
    flag: (name) => values[name] === true,
    out: { write: streams.out, isTerminal: streams.isTerminal },
    positional: (name) => positionals[command.positionals.indexOf(name)] ?? '',
    answer: (document, lines) => {
      const asJson = values['json'] === true
      streams.out(
        asJson ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''),
      )
    },
  }
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parsed(command: Command, words: readonly string[]): Parsed {
  try {
    return parseArgs({
      args: [...words],
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    const [reason] = sentenceOf(error).split('. ')
    throw new UsageError(`${reason}. Usage: sluice ${command.name} ${command.usage}`)
  }
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => called(command).length))
  const lines = commands.map((command) => `  ${called(command).padEnd(width)}  ${command.summary}`)
  return `Usage: sluice COMMAND\n\n${lines.join('\n')}\n\nEach takes --json and --help.\n`
}

function manual(command: Command): string {
  return `Usage: sluice ${called(command)} [--json]\n\n${command.summary}\n`
}

const called = ({ name, usage }: Command): string => `${name} ${usage}`.trimEnd()

const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error)

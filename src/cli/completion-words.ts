import type { Command } from './command.ts'

/** What can stand at a place of a command line. */
export interface Candidates {
  readonly words: readonly string[]
  /** Names of files, too: behind an `@` where that says so. */
  readonly files: 'plain' | 'at' | null
}

/** A command as completions need it. */
export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  /** In the order in which they come. */
  readonly positionals: readonly Candidates[]
  /** By name, with the dashes; null: a flag, which takes nothing. */
  readonly options: ReadonlyMap<string, Candidates | null>
}

/** The words of a place are those that its usage lists, and those that the command names. */
export function completedOf(command: Command): CompletedCommand {
  const { name, summary, usage, choices = {} } = command
  const { after, others } = readUsage(usage)
  const options = Object.entries({ ...command.options, json: { type: 'boolean' } as const }).map(
    ([option, { type }]) =>
      [
        `--${option}`,
        type === 'boolean' ? null : candidatesOf(after.get(option) ?? '', choices[option]),
      ] as const,
  )
  return {
    name,
    summary,
    positionals: command.positionals.map((positional, index) =>
      candidatesOf(others[index] ?? '', choices[positional]),
    ),
    options: new Map([...options, ['--help', null]]),
  }
}

interface Usage {
  /** What stands behind an option, by its name. */
  readonly after: ReadonlyMap<string, string>
  /** What stands behind none. */
  readonly others: readonly string[]
}

function readUsage(usage: string): Usage {
  const after = new Map<string, string>()
  const others: string[] = []
  let option: string | null = null
  for (const part of usage.split(' ')) {
    const word = part.replaceAll(/[[\]]/g, '')
    if (word.startsWith('--')) option = word.slice(2)
    else if (option === null) others.push(word)
    else {
      after.set(option, word)
      option = null
    }
    if (part.endsWith(']')) option = null
  }
  return { after, others }
}

/** `test|live` lists words; capitals say what kind of thing is meant. */
function candidatesOf(usage: string, choices: readonly string[] = []): Candidates {
  const parts = usage.split('|')
  const listed = parts.length > 1 ? parts.filter((part) => /^[a-z0-9_-]+$/.test(part)) : []
  const isFile = parts.some((part) => /^(FILE|FOLDER)$/.test(part))
  return {
    words: [...new Set([...choices, ...listed])],
    files: isFile ? 'plain' : parts.includes('@FILE') ? 'at' : null,
  }
}

/** The second words of commands of two, by the first. */
export function groupsOf(
  commands: readonly CompletedCommand[],
): ReadonlyMap<string, readonly CompletedCommand[]> {
  const groups = new Map<string, CompletedCommand[]>()
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return groups
}

/** What a command line may begin with. */
export const firstWords = (commands: readonly CompletedCommand[]): readonly string[] => [
  ...new Set([...commands.map(({ name }) => name.split(' ')[0] ?? ''), 'help']),
]

/** In single quotes, as all three shells read them. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

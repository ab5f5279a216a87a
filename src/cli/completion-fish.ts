import type { CompletedCommand } from './completion-words.ts'
import { firstWords, groupsOf, inQuotes } from './completion-words.ts'

/** For fish: a line for each word and option, with the condition under which it may come. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands)
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]))
  const two = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => inQuotes(name))
  const lines = [
    ...firstWords(commands).map((word) =>
      line('__sluice_first', `-a ${inQuotes(word)}${described(summaries.get(word))}`),
    ),
    ...[...groups].flatMap(([group, members]) =>
      members.map(({ name, summary }) =>
        line(
          `__sluice_is ${inQuotes(group)}`,
          `-a ${inQuotes(name.split(' ')[1] ?? '')}${described(summary)}`,
        ),
      ),
    ),
    ...commands.flatMap(linesOf),
  ]
  return `# Completes sluice in fish. Made by: sluice completion fish
function __sluice_words
    set -l words (commandline -opc)
    set -e words[1]
    test "$words[1]" = help; and set -e words[1]
    string join \\n -- $words
end
function __sluice_first
    test (count (__sluice_words)) -eq 0
end
# The command that has been written so far: two words of it where there is one of two.
function __sluice_is
    set -l words (__sluice_words)
    set -l name "$words[1]"
    contains -- "$words[1] $words[2]" ${two.join(' ')}; and set name "$words[1] $words[2]"
    test "$name" = "$argv[1]"
end
function __sluice_at_files
    set -l path (string replace -r '^(--[a-z-]+=)?@?' '' -- (commandline -ct))
    printf '@%s\\n' (__fish_complete_path $path '')
end
complete -c sluice -e
complete -c sluice -f
${lines.join('\n')}
`
}

const line = (condition: string, rest: string): string =>
  `complete -c sluice -n ${inQuotes(condition.replaceAll("'", '"'))} ${rest}`

const described = (summary: string | undefined): string =>
  summary === undefined ? '' : ` -d ${inQuotes(summary)}`

const atFiles = '(__sluice_at_files)'

function linesOf({ name, options, positionals }: CompletedCommand): readonly string[] {
  const condition = `__sluice_is ${inQuotes(name)}`
  const words = positionals.flatMap((candidates) => candidates.words)
  const files = positionals.some((candidates) => candidates.files !== null)
  return [
    ...(words.length === 0 ? [] : [line(condition, `-a ${inQuotes(words.join(' '))}`)]),
    ...(files ? [line(condition, '-F')] : []),
    ...[...options].map(([option, candidates]) => {
      const long = `-l ${option.slice(2)}`
      if (candidates === null) return line(condition, long)
      const words = [...candidates.words, ...(candidates.files === 'at' ? [atFiles] : [])]
      const list = words.length === 0 ? '' : ` -a ${inQuotes(words.join(' '))}`
      return line(condition, `${long} -r${candidates.files === 'plain' ? ' -F' : ' -f'}${list}`)
    }),
  ]
}

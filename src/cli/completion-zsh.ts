import type { Candidates, CompletedCommand } from './completion-words.ts'
import { firstWords, groupsOf, inQuotes } from './completion-words.ts'

/** For zsh, by its completion system: `_arguments` knows which option takes what. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands)
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]))
  const first = firstWords(commands).map((word) => item(word, summaries.get(word) ?? ''))
  return `#compdef sluice
# Completes sluice in zsh. Made by: sluice completion zsh
_sluice() {
  local first=2 name
  [[ \${words[2]} == help ]] && first=3
  if (( CURRENT <= first )); then
    local -a known=(${first.join(' ')})
    _describe command known
    return
  fi
  name=\${words[first]}
  case $name in
${[...groups]
  .map(
    ([group, members]) => `    ${group})
      if (( CURRENT == first + 1 )); then
        local -a known=(${members.map(secondItem).join(' ')})
        _describe command known
        return
      fi
      name+=" \${words[first+1]}"
      (( first += 1 )) ;;`,
  )
  .join('\n')}
  esac
  shift $(( first - 1 )) words
  (( CURRENT -= first - 1 ))
  case $name in
${commands.map(argumentsOf).join('\n')}
  esac
}
_sluice_at_files() {
  compset -P '@' && _files
}
if [[ $funcstack[1] == _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi
`
}

/** A word and what it does, as \`_describe\` reads them. */
const item = (word: string, summary: string): string =>
  inQuotes(`${word}:${summary.replaceAll(':', '\\:')}`)

const secondItem = ({ name, summary }: CompletedCommand): string =>
  item(name.split(' ')[1] ?? '', summary)

function argumentsOf({ name, positionals, options }: CompletedCommand): string {
  const specs = [
    ...positionals.map((candidates, place) => `${place + 1}: :${actionOf(candidates)}`),
    ...[...options].map(([option, candidates]) =>
      candidates === null ? option : `${option}=: :${actionOf(candidates)}`,
    ),
  ]
  return `    '${name}') _arguments ${specs.map(inQuotes).join(' ')} ;;`
}

/** A blank action has nothing to offer, and still takes a word. */
function actionOf({ words, files }: Candidates): string {
  if (files === 'plain') return '_files'
  if (files === 'at') return '_sluice_at_files'
  return words.length === 0 ? ' ' : `(${words.join(' ')})`
}

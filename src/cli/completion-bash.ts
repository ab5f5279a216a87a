import type { Candidates, CompletedCommand } from './completion-words.ts'
import { firstWords, groupsOf, inQuotes } from './completion-words.ts'

/** For bash 4 and newer, by its own `complete`; `=` and `@` are words of their own there. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands)
  return `# Completes sluice in bash. Made by: sluice completion bash
_sluice() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} replaced=$2
  local first=1 name taking='' place=0 at skip=0 behind=''
  COMPREPLY=()
  [[ \${COMP_WORDS[1]} == help ]] && first=2
  if [[ $cur == [=@] ]]; then behind=$cur cur=''
  elif [[ $prev == [=@] ]]; then behind=$prev prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD <= first )); then
    _sluice_words ${inQuotes(firstWords(commands).join(' '))}
    return
  fi
  name=\${COMP_WORDS[first]}
  case $name in
${[...groups]
  .map(
    ([group, members]) => `    ${group})
      if (( COMP_CWORD == first + 1 )); then
        _sluice_words ${inQuotes(members.map(({ name }) => name.split(' ')[1]).join(' '))}
        return
      fi
      name+=" \${COMP_WORDS[first+1]}" ;;`,
  )
  .join('\n')}
  esac
  case "$name $prev" in
${commands.flatMap(optionCases).join('\n')}
  esac
  case $name in
${commands.map(takingCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $name in
${commands.map(flagCase).join('\n')}
    esac
    return
  fi
  at=$(( first + 1 ))
  [[ $name == *' '* ]] && at=$(( first + 2 ))
  for (( ; at < COMP_CWORD; at++ )); do
    if [[ \${COMP_WORDS[at]} == [=@] ]]; then skip=1
    elif (( skip )); then skip=0
    elif [[ \${COMP_WORDS[at]} == -* ]]; then
      [[ " $taking " == *" \${COMP_WORDS[at]} "* ]] && skip=1
    else place=$(( place + 1 ))
    fi
  done
  case "$name $place" in
${commands.flatMap(placeCases).join('\n')}
  esac
}
_sluice_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=( $(compgen -W "$1" -- "$cur") )
}
_sluice_files() {
  local IFS=$'\\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=( $(compgen -f -- "$cur") )
}
_sluice_at_files() {
  local IFS=$'\\n'
  # What is replaced has the @ in it, although it is a word of its own.
  if [[ $replaced == @* ]]; then COMPREPLY=( $(compgen -P @ -f -- "\${replaced#@}") )
  elif [[ $behind == @ ]]; then _sluice_files
  fi
}
complete -F _sluice sluice
`
}

const optionCases = ({ name, options }: CompletedCommand): readonly string[] =>
  [...options].flatMap(([option, candidates]) =>
    candidates === null ? [] : [`    '${name} ${option}') ${replyOf(candidates)}; return ;;`],
  )

const takingCase = ({ name, options }: CompletedCommand): string =>
  `    '${name}') taking=${inQuotes(namesOf(options, false).join(' '))} ;;`

const flagCase = ({ name, options }: CompletedCommand): string =>
  `      '${name}') _sluice_words ${inQuotes(namesOf(options, true).join(' '))} ;;`

const namesOf = (options: CompletedCommand['options'], flags: boolean): readonly string[] =>
  [...options].flatMap(([option, candidates]) => (flags || candidates !== null ? [option] : []))

const placeCases = ({ name, positionals }: CompletedCommand): readonly string[] =>
  positionals.map((candidates, place) => `    '${name} ${place}') ${replyOf(candidates)} ;;`)

function replyOf({ words, files }: Candidates): string {
  if (files === 'plain') return '_sluice_files'
  if (files === 'at') return '_sluice_at_files'
  return words.length === 0 ? ':' : `_sluice_words ${inQuotes(words.join(' '))}`
}

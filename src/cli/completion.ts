import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { completedOf } from './completion-words.ts'
import { zshCompletion } from './completion-zsh.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

const isShell = (name: string): name is keyof typeof shells => Object.hasOwn(shells, name)

/** `commands` answers all of them, itself among them. */
export function completion(commands: () => Promise<readonly Command[]>): Command {
  const names = Object.keys(shells)
  return {
    name: 'completion',
    usage: names.join('|'),
    summary: 'writes what the shell needs to complete commands: source it, or put it into a file',
    options: {},
    positionals: ['SHELL'],

    async run(input) {
      const shell = input.positional('SHELL')
      if (!isShell(shell)) {
        throw new UsageError(`There is no completion for '${shell}': say ${names.join(', ')}.`)
      }
      const script = shells[shell]((await commands()).map(completedOf))
      if (input.flag('json')) input.answer({ shell, script }, [])
      else input.out.write(script)
      return 0
    },
  }
}

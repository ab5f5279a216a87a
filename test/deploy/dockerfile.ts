import { readFileSync } from 'node:fs'

/** One instruction of a Dockerfile, such as RUN, in one line. */
export interface Step {
  /** The stage that it belongs to, from 0; -1 before the first FROM. */
  readonly stage: number
  readonly name: string
  readonly rest: string
}

/** The instructions of a Dockerfile, in their order. */
export function stepsOf(path: string): readonly Step[] {
  const text = readFileSync(path, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
  let stage = -1
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      if (name === 'FROM') stage += 1
      return { stage, name, rest: rest.trim() }
    })
}

import type { Rule } from './tree.ts'
import { lineAt } from './tree.ts'

const tops = /^(package(-lock)?\.json|tsconfig\.json|(README|ARCHITECTURE)\.md|LICENSE|\..*)$/
const rooms = ['src', 'workers', 'bench', 'test', 'deploy']

/** A newcomer reads the top of the tree first: all of it should be worth reading. */
export const topLevel = (names: readonly string[], ignored: readonly string[]): readonly string[] =>
  names
    .filter((name) => !tops.test(name) && !rooms.includes(name) && !ignored.includes(name))
    .map(
      (name) =>
        `${name}: does not belong to the top level. Put it into one of ${rooms.join(', ')}.`,
    )

/** One title tells a page's subject; a second one is a second page. */
export const oneTitle: Rule = (files) =>
  files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (fence) => fence.replace(/[^\n]/g, ' '))
      const [first, second] = [...prose.matchAll(/^# .+$/gm)]
      if (first === undefined || prose.slice(0, first.index).trim() !== '')
        return [`${path}:1: begins without a title. Begin it with one line of '# Title'.`]
      return second === undefined
        ? []
        : [`${path}:${lineAt(prose, second.index)}: a second title. Use '##', or another file.`]
    })

/** A range is another program tomorrow. */
export const pinned: Rule = (files) =>
  files
    .filter(({ path }) => path === 'package.json')
    .flatMap(({ path, text }) => {
      const { dependencies, devDependencies } = JSON.parse(text) as Readonly<
        Record<string, Readonly<Record<string, string>> | undefined>
      >
      return Object.entries({ ...dependencies, ...devDependencies })
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${path}: ${name} is ${version}. Pin one exact version.`)
    })

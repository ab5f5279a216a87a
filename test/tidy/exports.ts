import type { Rule, SourceFile } from './tree.ts'
import { lineAt } from './tree.ts'

const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm

/**
 * What nothing but tests calls is a prop: the product does not do what the tests prove of it. It
 * goes, or moves to where the tests stand. `awaited`: names that tests alone need, or files, by the
 * beginning of their path, that are there ahead of their use.
 */
export const noProps =
  (awaited: readonly string[]): Rule =>
  (files) => {
    const ours = files.filter(({ path }) => /^(src|workers)\/.*\.(tsx?|js)$/.test(path))
    const places = new Map<string, number>()
    for (const { code } of ours)
      for (const word of code.match(/\w+/g) ?? []) places.set(word, (places.get(word) ?? 0) + 1)
    return ours.flatMap((file) => exportsOf(file).flatMap((each) => problem(file, each)))

    function problem({ path, code }: SourceFile, { name, index }: Exported): readonly string[] {
      const isUsed = (places.get(name) ?? 0) > 1
      if (isUsed || awaited.some((each) => each === name || path.startsWith(each))) return []
      const at = `${path}:${lineAt(code, index)}`
      return [`${at}: nothing of the product uses ${name}. Delete it, or move it to the tests.`]
    }
  }

interface Exported {
  readonly name: string
  readonly index: number
}

const exportsOf = ({ code }: SourceFile): readonly Exported[] =>
  [...code.matchAll(exported)].map(({ index, 1: name = '' }) => ({ name, index }))

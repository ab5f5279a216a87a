import { readdirSync, readFileSync } from 'node:fs'

/** A page of the manual. */
export interface Page {
  readonly name: string
  readonly text: string
}

const folder = new URL('../../src/pages/docs/', import.meta.url)

export const pages: readonly Page[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

/** The lines of all blocks that are marked as examples of `kind`: what is given → what follows. */
export const examplesOf = (kind: string): readonly (readonly [string, string])[] =>
  pages.flatMap(({ text }) =>
    [...text.matchAll(/^```example (\w+)\n([\s\S]*?)^```/gm)]
      .filter(([, found]) => found === kind)
      .flatMap(([, , lines = '']) => lines.trimEnd().split('\n'))
      .map((line) => {
        const [given, follows] = line.split('→')
        if (given === undefined || follows === undefined) throw new Error(`No arrow: ${line}`)
        return [given.trim(), follows.trim()] as const
      }),
  )

export const kindsOfExamples = (): ReadonlySet<string> =>
  new Set(
    pages.flatMap(({ text }) => [...text.matchAll(/^```example (\w+)/gm)].map(([, k]) => k ?? '')),
  )

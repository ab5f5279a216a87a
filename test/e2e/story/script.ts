import { pages } from '../../pages/manual.ts'

/** A line of the story: who does what, and what is then to be seen. */
export interface StoryLine {
  readonly line: string
  readonly given: string
  readonly follows: string
}

/** The lines of the manual's story, in their order. */
export function storyLines(): readonly StoryLine[] {
  const text = pages.find(({ name }) => name === 'story.md')?.text ?? ''
  return [...text.matchAll(/^```story\n([\s\S]*?)^```/gm)]
    .flatMap(([, lines = '']) => lines.trimEnd().split('\n'))
    .map((line) => {
      const [given, follows] = line.split('→')
      if (given === undefined || follows === undefined) throw new Error(`No arrow: ${line}`)
      return { line, given: given.trim(), follows: follows.trim() }
    })
}

/** Smallest units of a text such as `20.00`. */
export const cents = (text: string): number => Math.round(Number(text) * 100)

export const dollars = (amount: number): string => (amount / 100).toFixed(2)

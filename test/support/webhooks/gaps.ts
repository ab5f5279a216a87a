import { readFileSync } from 'node:fs'

type Check = (headers: Readonly<Record<string, unknown>>, now: number) => readonly number[]

/** The lines of the manual that check for gaps, as a receiver would have them. */
export function gapsOfManual(): { readonly gaps: Check; readonly lines: number } {
  const page = readFileSync(new URL('../../../src/pages/docs/webhooks.md', import.meta.url), 'utf8')
  const [, lines = ''] = /```js\n([^`]*function gaps[^`]*)```/.exec(page) ?? []
  const gaps = new Function(`${lines}; return gaps`)() as Check
  return { gaps, lines: lines.trim().split('\n').length }
}

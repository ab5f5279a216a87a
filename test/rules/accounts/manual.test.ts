import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pages } from '../../pages/manual.ts'
import { sectionsIn } from '../../support/pages/anchors.ts'

const here = dirname(fileURLToPath(import.meta.url))
const rows = readFileSync(join(here, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, rule = '', says = '', test = ''] = line.split('|').map((cell) => cell.trim())
    const [, path, name] = /^`([^`]+)` (.+)$/.exec(test) ?? []
    return path === undefined || name === undefined ? [] : [{ rule, says, path, name }]
  })

describe('the table of rules', () => {
  it('has every section of the manual about credits and subscriptions', () => {
    const sections = pages
      .filter(({ name }) => ['credits.md', 'subscriptions.md'].includes(name))
      .flatMap(({ name, text }) => sectionsIn(text).map((each) => `${name.slice(0, -3)}#${each}`))
    expect(sections.length).toBeGreaterThan(15)
    const there = new Set(rows.map(({ rule }) => rule))
    expect(sections.filter((section) => !there.has(section))).toEqual([])
  })

  it.each(rows)('$rule, $says: $path', ({ path, name }) => {
    const titles = readFileSync(join(here, path), 'utf8').matchAll(
      /\b(?:describe|it|test)\('(.*)',/g,
    )
    expect([...titles].some(([, title]) => title?.includes(name) === true)).toBe(true)
  })
})

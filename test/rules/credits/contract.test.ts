import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const rows = readFileSync(join(here, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, rule = '', says = '', test = ''] = line.split('|').map((cell) => cell.trim())
    const [, path, name] = /^`([^`]+)` (.+)$/.exec(test) ?? []
    return path === undefined || name === undefined ? [] : [{ rule, says, path, name }]
  })

describe('the table of rules', () => {
  it('has every numbered rule of contract D and every ruling about credits', () => {
    const contract = Array.from({ length: 11 }, (_, index) => `D.${index + 1}`)
    const numbers = [15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 39, 40, 41, 42, 47]
    const rulings = numbers.map((each) => `ruling ${each}`)
    const there = new Set(rows.map(({ rule }) => rule))
    expect([...contract, ...rulings].filter((rule) => !there.has(rule))).toEqual([])
  })

  it.each(rows)('$rule, $says: $path', ({ path, name }) => {
    const titles = readFileSync(join(here, path), 'utf8').matchAll(
      /\b(?:describe|it|test)\('(.*)',/g,
    )
    expect([...titles].some(([, title]) => title?.includes(name) === true)).toBe(true)
  })
})

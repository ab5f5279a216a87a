import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitsCharacters, isStorable } from '../../src/std/text.ts'

it('counts characters, not the units that encode them', () => {
  expect(fitsCharacters('😀'.repeat(255), 255)).toBe(true)
  expect(fitsCharacters('😀'.repeat(256), 255)).toBe(false)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, max) => {
      expect(fitsCharacters(text, max)).toBe([...text].length <= max)
    }),
  )
})

it('takes for storable what UTF-8 brings back, but NUL', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0xffff }), { maxLength: 8 }), (units) => {
      const text = String.fromCharCode(...units)
      const back = Buffer.from(text, 'utf8').toString('utf8')
      expect(isStorable(text)).toBe(back === text && !text.includes('\0'))
    }),
  )
  expect(isStorable('a\0')).toBe(false)
  expect(isStorable('\ud83d')).toBe(false)
  expect(isStorable('\ud83d\ude00')).toBe(true)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitsCharacters, isStorable, storable } from '../../src/std/text.ts'

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

it('knows texts as a text column gives them back', () => {
  expect(storable('evt_1😀')).toBe('evt_1😀')
  expect(storable('a\0b\ud800')).toBe('a\ufffdb\ufffd')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const back = Buffer.from(text.replaceAll('\0', '\ufffd')).toString()
      expect(storable(text)).toBe(back)
      expect(isStorable(storable(text))).toBe(true)
    }),
  )
})

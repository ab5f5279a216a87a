import { describe, expect, it } from 'vitest'
import { imageTypeOf } from '../../../../src/rules/commerce/catalog/image.ts'
import { pictures } from '../../../support/files/pictures.ts'

describe('an image', () => {
  it.each(Object.entries(pictures))('is %s by what its bytes are', (type, bytes) => {
    expect(imageTypeOf(bytes)).toBe(type)
  })

  it.each(Object.entries(pictures))('is none when %s is cut short anywhere', (_type, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(imageTypeOf(bytes.subarray(0, length)), String(length)).toBeNull()
    }
  })

  it.each(Object.entries(pictures))('is none when something follows %s', (_type, bytes) => {
    const script = Buffer.from('<script>alert(1)</script>')
    expect(imageTypeOf(Buffer.concat([bytes, script]))).toBeNull()
  })

  it('is none of other kinds, whatever they begin with', () => {
    const others = [
      '',
      'GIF89a\u0001',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<html>',
      '%PDF',
    ]
    for (const other of others) expect(imageTypeOf(Buffer.from(other))).toBeNull()
    const png = pictures['image/png']
    const flat = Buffer.from(png)
    flat.writeUInt32BE(0, 16)
    expect(imageTypeOf(flat)).toBeNull()
  })
})
